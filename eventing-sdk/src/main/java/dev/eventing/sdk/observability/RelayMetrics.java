package dev.eventing.sdk.observability;

import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

import dev.eventing.sdk.relay.RelayLag;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.RelayStatus;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.Watched;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of each relay on this node, all with the tag {@code relay}. Counters start at
 * zero with the process.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr>
 * <td>{@code eventing.relay.events}</td>
 * <td>events, by {@code outcome}: {@code published}, {@code duplicate} of these,
 * {@code present}, {@code refused} or {@code held}</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.relay.retries}</td>
 * <td>publishes that were not confirmed and repeated</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.relay.stopped.streams}</td>
 * <td>streams that are stopped by an event that is refused or that nothing takes now</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.relay.running}</td>
 * <td>1 on the node that publishes, else 0</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.relay.lag.events}, {@code eventing.relay.lag.time}</td>
 * <td>see {@link RelayLag}, as of some seconds ago, on the node that publishes; 0 on
 * other nodes. Not a number (NaN) until the database has answered. From 10,000 events on
 * it is an estimate, which counts positions.</td>
 * </tr>
 * </table>
 */
public final class RelayMetrics implements MeterBinder, Watched {

	private static final String PREFIX = "eventing.relay.";

	private final Relays relays;

	private final Samples<RelayLag> lags;

	public RelayMetrics(Relays relays) {
		this.relays = relays;
		this.lags = new Samples<>("lag of relay", relays::lag);
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.lags.stalls(longest);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.relays.status().forEach((status) -> bind(registry, status.relay()));
	}

	private void bind(MeterRegistry registry, String relay) {
		Tags tags = Tags.of("relay", relay);
		outcome(registry, relay, "published", (status) -> status.counts().published());
		outcome(registry, relay, "duplicate", (status) -> status.counts().duplicates());
		outcome(registry, relay, "present", (status) -> status.counts().present());
		outcome(registry, relay, "refused", (status) -> status.counts().refused());
		outcome(registry, relay, "held", (status) -> status.counts().held());
		FunctionCounter.builder(PREFIX + "retries", this.relays, read(relay, (status) -> status.counts().retried()))
			.tags(tags)
			.description("Publishes that were not confirmed and repeated")
			.register(registry);
		gauge(registry, relay, "stopped.streams",
				"Streams that are stopped by an event that is refused or that nothing takes now",
				read(relay, RelayStatus::stoppedStreams));
		gauge(registry, relay, "running", "1 on the node that publishes, else 0",
				read(relay, (status) -> (status.state() == RelayState.RUNNING) ? 1 : 0));
		gauge(registry, relay, "lag.events",
				"Committed events that are not published; from 10,000 on, an estimate that counts positions",
				lag(relay, RelayLag::events));
		gauge(registry, relay, "lag.time", "Seconds since the oldest event that is not published was recorded",
				lag(relay, (lag) -> lag.behind().toMillis() / 1000.0));
	}

	/** Only the node that publishes reports the lag. */
	private ToDoubleFunction<Relays> lag(String relay, ToDoubleFunction<RelayLag> value) {
		return (relays) -> {
			RelayState state = relays.status(relay).state();
			if (state == RelayState.STANDBY || state == RelayState.STOPPED) {
				return 0;
			}
			RelayLag lag = this.lags.last(relay);
			return (lag != null) ? value.applyAsDouble(lag) : Double.NaN;
		};
	}

	private void outcome(MeterRegistry registry, String relay, String outcome, ToDoubleFunction<RelayStatus> value) {
		FunctionCounter.builder(PREFIX + "events", this.relays, read(relay, value))
			.tags(Tags.of("relay", relay, "outcome", outcome))
			.description("Events, by outcome")
			.register(registry);
	}

	private void gauge(MeterRegistry registry, String relay, String name, String description,
			ToDoubleFunction<Relays> value) {
		Gauge.builder(PREFIX + name, this.relays, value)
			.tags(Tags.of("relay", relay))
			.description(description)
			.register(registry);
	}

	private static ToDoubleFunction<Relays> read(String relay, ToDoubleFunction<RelayStatus> value) {
		return (relays) -> value.applyAsDouble(relays.status(relay));
	}

}
