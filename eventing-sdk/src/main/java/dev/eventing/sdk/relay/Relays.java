package dev.eventing.sdk.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.eventing.sdk.InvalidOptionsException;
import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.idempotency.PrunedHistoryException;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.worker.OneShot;
import dev.eventing.sdk.worker.RunningPart;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.Watched;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The relays of an application. Starts them with the application and stops them before
 * the beans they use. An operator can start, stop and pause each relay by name on this
 * node, and resolve on any node what a relay cannot resolve automatically. Thread-safe.
 */
public final class Relays implements RunningPart, Watched, AutoCloseable {

	/** A relay that takes longer hangs, and is not waited for. */
	private static final Duration STOPS_WITHIN = Duration.ofMinutes(1);

	private final RelayServices services;

	private final Map<String, Relay> relays = new LinkedHashMap<>();

	/** A start waits for the stop that is under way. */
	private final Object startsAndStops = new Object();

	private volatile boolean running;

	/**
	 * Does not access a server yet.
	 * @throws InvalidOptionsException if two relays have the same name
	 */
	public Relays(RelayServices services, Collection<RelayOptions> relays) {
		this.services = services;
		Set<String> declared = relays.stream()
			.flatMap((options) -> options.categories().stream())
			.collect(Collectors.toSet());
		for (RelayOptions options : relays) {
			if (this.relays.put(options.name(), new Relay(options, services, declared)) != null) {
				throw RelayOptions.invalid(options.name(),
						List.of("'name' must differ between relays, and there are two"));
			}
		}
	}

	/**
	 * Starts all relays. They wait in the background for servers that are unreachable.
	 */
	@Override
	public void start() {
		synchronized (this.startsAndStops) {
			RelayLines.log(this.relays.values().stream().map(Relay::options).toList());
			this.relays.values().forEach(Relay::start);
			this.running = true;
		}
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.relays.values().stream().flatMap((relay) -> relay.stalls(longest)).toList();
	}

	/**
	 * Stops all relays. Each one stops when its events in flight are confirmed, or after
	 * some seconds.
	 */
	@Override
	public void stop() {
		List<OneShot> stops = new ArrayList<>();
		this.relays.forEach((name, relay) -> stops.add(OneShot.of("relay-" + name + "-stop", relay::stop)));
		synchronized (this.startsAndStops) {
			OneShot.runAll(stops, STOPS_WITHIN);
			this.running = false;
		}
	}

	/** Starts one relay on this node. Does nothing if it runs. */
	public void start(String relay) {
		find(relay).start();
	}

	/**
	 * Stops one relay on this node and waits until it has stopped. Another node takes
	 * over.
	 */
	public void stop(String relay) {
		find(relay).stop();
	}

	/**
	 * Pauses one relay. It publishes nothing, and no other node takes over. The pause
	 * does not survive a restart.
	 */
	public void pause(String relay) {
		find(relay).pause(true);
	}

	/** Ends a pause. */
	public void resume(String relay) {
		find(relay).pause(false);
	}

	/** The status of each relay on this node. Does not access a server. */
	public List<RelayStatus> status() {
		return this.relays.values().stream().map(Relay::status).toList();
	}

	/**
	 * The status of one relay on this node. Does not access a server.
	 * @throws UnknownNameException if there is no relay of that name
	 */
	public RelayStatus status(String relay) {
		return find(relay).status();
	}

	/**
	 * How far one relay is behind, whichever node it runs on. Queries the database, which
	 * reads at most 10,000 events; see {@link RelayLag#estimated}.
	 */
	public RelayLag lag(String relay) {
		return operations(relay).lag();
	}

	/** The first events that are refused, waiting, held or to be retried, by position. */
	public List<Refusal> refusals(String relay, int limit) {
		return operations(relay).refusals(limit);
	}

	/**
	 * Retries the refused event of a stream and the events held because of it, in order.
	 * The publishing node does this within about a second. Then the stream continues.
	 * @return the number of these events
	 */
	public int retry(String relay, TenantId tenant, String streamId) {
		return operations(relay).retry(new StreamKey(tenant.value(), streamId));
	}

	/**
	 * Gives up publishing one event. Its row is deleted; the event stays in the event
	 * store. The events held because of it are published.
	 * @return whether there was a row
	 */
	public boolean giveUp(String relay, long position) {
		return operations(relay).giveUp(position);
	}

	/**
	 * Accepts that the database was restored to an earlier state than the streams. Up to
	 * the highest position in the streams, store and streams are no longer compared, and
	 * new events get higher positions. A relay that is {@link RelayState#REFUSED}
	 * continues within a second.
	 * @return that position
	 * @throws dev.eventing.sdk.OperatorMustActException if the role of the DataSource may
	 * not lock the events and move their sequence; nothing has changed
	 */
	public long acceptRestore(String relay) {
		return operations(relay).acceptRestore();
	}

	/**
	 * Publishes a range of positions again, in order, on the caller's thread, whether or
	 * not the relay runs. The relay's position does not change. Use it when a stream was
	 * lost. The message ids are the same, so the stream drops events that it received
	 * within its duplicate window. If the stream already has newer events, the older ones
	 * come after them: consumers that have applied the events skip them by their ids, and
	 * new consumers receive them out of order.
	 * @param from the first position
	 * @param to the last position
	 * @throws PrunedHistoryException if a projector may have pruned the history of the
	 * first event; nothing was published
	 * @throws dev.eventing.sdk.OperatorMustActException if contents of events were erased
	 * meanwhile; the message has the position from which to continue
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if JetStream does not
	 * confirm an event for a long time; all events before it were published
	 */
	public Republished republish(String relay, long from, long to) {
		RelayOptions options = find(relay).options();
		PrunedHistory history = new PrunedHistory(new JdbcTemplate(this.services.dataSource()), this.services.schema());
		this.services.log()
			.recordedBehind(from - 1)
			.ifPresent((first) -> requireRemembered(history, relay, from, first,
					"a later position, or republishAlsoPruned"));
		return new Republication(options, this.services).run(from, to);
	}

	private static void requireRemembered(PrunedHistory history, String relay, long from, Instant first,
			String instead) {
		history.inStreams().filter((forgotten) -> forgotten.includes(first)).ifPresent((forgotten) -> {
			throw new PrunedHistoryException(
					("Relay '%s' does not publish position %s again: it was recorded at %s, and "
							+ "projector '%s' has pruned, or may soon prune, its history of events before %s, so it could apply "
							+ "the event twice. Consider %s if no projector has seen the events.")
						.formatted(relay, from, first, forgotten.projector(), forgotten.before(), instead));
		});
	}

	/**
	 * As {@link #republish}, but also publishes events whose history projectors may have
	 * pruned. Such projectors apply these events twice. Use it for streams whose
	 * projectors start again with empty read models.
	 */
	public Republished republishAlsoPruned(String relay, long from, long to) {
		return new Republication(find(relay).options(), this.services).run(from, to);
	}

	/**
	 * Publishes the events that the relay has passed over, because their category was
	 * added when it had read them. Publishes them in order, on the caller's thread,
	 * whether or not the relay runs. The relay's position does not change. If the relay
	 * has published newer events of the same streams meanwhile, these precede the older
	 * ones. Then nothing counts as passed over any more, unless an event was refused.
	 * @throws dev.eventing.sdk.OperatorMustActException if contents of events were erased
	 * meanwhile; a later call begins with the first event again
	 * @throws PrunedHistoryException if a projector may have pruned the history of the
	 * first of these events; nothing was published
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if JetStream does not
	 * confirm an event for a long time; the next call begins with the first event again
	 */
	public Republished publishPassedOver(String relay) {
		PrunedHistory history = new PrunedHistory(new JdbcTemplate(this.services.dataSource()), this.services.schema());
		return publishPassedOver(relay, (first) -> requireRemembered(history, relay, first.position(),
				first.recordedAt(), "publishPassedOverAlsoPruned"));
	}

	/**
	 * As {@link #publishPassedOver}, but also publishes events whose history projectors
	 * may have pruned. A projector that has applied such an event applies it twice. Use
	 * it if no projector has seen these events.
	 */
	public Republished publishPassedOverAlsoPruned(String relay) {
		return publishPassedOver(relay, (first) -> {
		});
	}

	private Republished publishPassedOver(String relay, Consumer<StoredEvent> check) {
		RelayOperations operations = operations(relay);
		PublishedFrom gaps = operations.published();
		Optional<StoredEvent> first = firstIn(gaps);
		first.ifPresent(check);
		Republished done = first.map((event) -> new Republication(find(relay).options(), this.services)
			.run(event.position(), gaps.end(), gaps::isGap)).orElse(new Republished(0, 0, 0));
		if (done.refused() == 0) {
			operations.close(gaps);
		}
		return done;
	}

	/** The relay has passed the gaps, so no event appears in them any more. */
	private Optional<StoredEvent> firstIn(PublishedFrom gaps) {
		EventRange events = new EventRange(this.services.log(), 1, gaps.end(), gaps.end());
		StoredEvent next = events.next();
		while (next != null && !gaps.isGap(next)) {
			next = events.next();
		}
		return Optional.ofNullable(next);
	}

	/**
	 * Accepts that the events which the relay has passed over are not published. The
	 * relay does not report them any more.
	 * @return whether there may have been any
	 */
	public boolean acceptPassedOver(String relay) {
		RelayOperations operations = operations(relay);
		PublishedFrom gaps = operations.published();
		operations.close(gaps);
		return gaps.hasGaps();
	}

	private Relay find(String name) {
		Relay relay = this.relays.get(name);
		if (relay == null) {
			throw new UnknownNameException("There is no relay '" + name + "'.", this.relays.keySet(), "");
		}
		return relay;
	}

	private RelayOperations operations(String relay) {
		return new RelayOperations(find(relay).options(), this.services);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Stops relays that still run, even if the application did not start completely. */
	@Override
	public void close() {
		stop();
	}

}
