package dev.eventing.sdk.observability;

import java.util.stream.Stream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorLag;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.projector.PruningStatus;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.Watched;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Meters of each projector, all with the tags {@code projector} and {@code role}. They
 * are computed when a registry is scraped, and add no work per event.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr>
 * <td>{@code eventing.projector.events}</td>
 * <td>events settled, by {@code outcome}: {@code processed}, {@code duplicate},
 * {@code skipped}, {@code dead} or {@code parked} because of an earlier dead letter</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.attempts.failed}</td>
 * <td>attempts of handlers that failed</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.redriven}</td>
 * <td>dead letters that a redrive applied</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.transactions}</td>
 * <td>transactions that committed events</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.in.flight}</td>
 * <td>deliveries held and not settled</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.waiting.for.retry}</td>
 * <td>those of them that wait for a retry</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.pending}</td>
 * <td>events not delivered yet, as of the last delivery</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.lag.events}</td>
 * <td>events not settled yet, as of some seconds ago, whichever node settles them</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.lag.time}</td>
 * <td>seconds since the oldest of them was stored</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.dead.letters.parked}</td>
 * <td>dead letters that wait for an operator, and events parked because of them, as of
 * some seconds ago, whichever node parked them</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.pruned}</td>
 * <td>rows of {@code processed_events} that this node has deleted</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.pruned.age}</td>
 * <td>seconds since this node's last pruning pass ended; not a number (NaN) if it has
 * made none</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.stalled}</td>
 * <td>1 while there is work and nothing is settled, else 0</td>
 * </tr>
 * <tr>
 * <td>{@code eventing.projector.running}</td>
 * <td>1 while events are processed as they arrive, else 0</td>
 * </tr>
 * </table>
 *
 * <p>
 * {@code role} is {@code live} for all of them: these meters follow the live generation
 * of the read model over each switch. Where a projector declares its tables, some of them
 * also exist for the generation beside the live one: with {@code building} until it is
 * live, and with {@code standby} for one that was. They show what this node feeds. While
 * it feeds none in that role, gauges are not a number (NaN) and counters stand still.
 *
 * <p>
 * Lag and letters are queried in the background, at most every ten seconds and only while
 * the meters are read. Without an answer they are not a number (NaN). Counters start at
 * zero with the process. As a bean, this binder also finds projectors that are registered
 * after it was bound; without a context, bind it after all projectors are registered.
 */
public final class ProjectorMetrics implements MeterBinder, Watched, ApplicationListener<ContextRefreshedEvent> {

	private final ProjectorRegistry projectors;

	private final Pruner pruner;

	private final Samples<ProjectorLag> lags;

	private final Samples<Long> parked;

	private final List<MeterRegistry> bound = new CopyOnWriteArrayList<>();

	/**
	 * Creates the binder.
	 * @param projectors the measured projectors
	 * @param progress supplies their lag
	 * @param deadLetters supplies their dead letters
	 * @param pruner supplies the pruned rows
	 */
	public ProjectorMetrics(ProjectorRegistry projectors, ProjectorProgress progress, DeadLetters deadLetters,
			Pruner pruner) {
		this.projectors = projectors;
		this.pruner = pruner;
		this.lags = new Samples<>("lag of projector", progress::lag);
		this.parked = new Samples<>("parked letters of projector", (projector) -> deadLetters
			.count(DeadLetterFilter.ALL.withProjector(projector).withStatus(DeadLetterStatus.PARKED)));
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return Stream.of(this.lags, this.parked).flatMap((samples) -> samples.stalls(longest).stream()).toList();
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.bound.add(registry);
		bindAll(registry);
	}

	/** Existing meters do not change. */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.bound.forEach(this::bindAll);
	}

	private void bindAll(MeterRegistry registry) {
		this.projectors.endpoints()
			.stream()
			.map(ProjectorEndpoint::id)
			.filter((projector) -> registry.find(ProjectorMeters.PREFIX + "running")
				.tag("projector", projector.tag())
				.gauge() == null)
			.forEach((projector) -> new Binding(registry, projector).bind());
	}

	private static double secondsSince(PruningStatus status) {
		Instant last = status.lastPass();
		return (last != null) ? Duration.between(last, Instant.now()).toMillis() / 1000.0 : Double.NaN;
	}

	/** The meters of one projector in one registry. */
	private final class Binding {

		private final MeterRegistry registry;

		private final ProjectorId projector;

		private final Tags tags;

		Binding(MeterRegistry registry, ProjectorId projector) {
			this.registry = registry;
			this.projector = projector;
			this.tags = ProjectorMeters.tags(projector, "live");
		}

		void bind() {
			events("processed", (status) -> status.counts().processed());
			events("duplicate", (status) -> status.counts().duplicates());
			events("skipped", (status) -> status.counts().skipped());
			events("dead", (status) -> status.counts().deadLetters());
			events("parked", (status) -> status.counts().parked());
			counter("redriven", this.tags, "Dead letters that a redrive applied",
					(status) -> status.counts().redriven());
			counter("duplicates.differing", this.tags,
					"Duplicates whose content differs from that of the applied event with the same id",
					(status) -> status.counts().differing());
			counter("attempts.failed", this.tags, "Attempts of handlers that failed",
					(status) -> status.counts().failedAttempts());
			counter("transactions", this.tags, "Transactions that committed events",
					(status) -> status.counts().transactions());
			gauge("in.flight", "Deliveries held and not settled", ProjectorStatus::inFlight);
			gauge("waiting.for.retry", "Deliveries that wait for a retry, their own or an earlier one of their key",
					ProjectorStatus::waitingForRetry);
			gauge("pending", "Events not delivered yet, as of the last delivery", ProjectorStatus::pending);
			sample("lag.events", null, "Events not settled yet", ProjectorMetrics.this.lags, ProjectorLag::events);
			sample("lag.time", "seconds", "Since the oldest event that is not settled yet was stored",
					ProjectorMetrics.this.lags, (lag) -> lag.time().toMillis() / 1000.0);
			sample("dead.letters.parked", null,
					"Dead letters that wait for an operator, and events parked because of them",
					ProjectorMetrics.this.parked, Long::doubleValue);
			gauge("stalled", "1 while there is work and nothing is settled, else 0",
					(status) -> (status.state() == ProjectorState.STALLED) ? 1 : 0);
			gauge("running", "1 while events are processed as they arrive, else 0",
					(status) -> (status.state() == ProjectorState.RUNNING) ? 1 : 0);
			pruning();
			GenerationMetrics.bind(this.registry, ProjectorMetrics.this.projectors, this.projector);
		}

		private void pruning() {
			FunctionCounter
				.builder(ProjectorMeters.PREFIX + "pruned", ProjectorMetrics.this.pruner,
						readPruning(PruningStatus::rows))
				.tags(this.tags)
				.description("Rows of processed_events that this node has deleted")
				.register(this.registry);
			Gauge
				.builder(ProjectorMeters.PREFIX + "pruned.age", ProjectorMetrics.this.pruner,
						readPruning(ProjectorMetrics::secondsSince))
				.tags(this.tags)
				.baseUnit("seconds")
				.description("Since the last pass of this node ended")
				.register(this.registry);
		}

		private void events(String outcome, ToDoubleFunction<ProjectorStatus> value) {
			counter("events", this.tags.and("outcome", outcome), "Events settled, by outcome", value);
		}

		private void counter(String name, Tags tags, String description, ToDoubleFunction<ProjectorStatus> value) {
			FunctionCounter.builder(ProjectorMeters.PREFIX + name, ProjectorMetrics.this.projectors, read(value))
				.tags(tags)
				.description(description)
				.register(this.registry);
		}

		private void gauge(String name, String description, ToDoubleFunction<ProjectorStatus> value) {
			Gauge.builder(ProjectorMeters.PREFIX + name, ProjectorMetrics.this.projectors, read(value))
				.tags(this.tags)
				.description(description)
				.register(this.registry);
		}

		private <T> void sample(String name, @Nullable String unit, String description, Samples<T> samples,
				ToDoubleFunction<T> value) {
			String of = this.projector.base();
			Gauge.builder(ProjectorMeters.PREFIX + name, samples, (all) -> {
				T answer = all.last(of);
				return (answer != null) ? value.applyAsDouble(answer) : Double.NaN;
			}).tags(this.tags).baseUnit(unit).description(description).strongReference(true).register(this.registry);
		}

		private ToDoubleFunction<ProjectorRegistry> read(ToDoubleFunction<ProjectorStatus> value) {
			String name = this.projector.base();
			return (projectors) -> value.applyAsDouble(projectors.status(name));
		}

		private ToDoubleFunction<Pruner> readPruning(ToDoubleFunction<PruningStatus> value) {
			String name = this.projector.base();
			return (pruner) -> value.applyAsDouble(pruner.status(name));
		}

	}

}
