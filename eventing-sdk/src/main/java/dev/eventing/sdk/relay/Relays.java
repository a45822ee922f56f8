package dev.eventing.sdk.relay;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.idempotency.PrunedHistoryException;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.StallWatch;

import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The relays of an application. Starts them with the application and stops them before
 * the beans they use; an operator can start, stop and pause each by name on this node,
 * and settle on any node what a relay cannot settle by itself. Thread-safe.
 */
public final class Relays implements SmartLifecycle, AutoCloseable {

	/** That of the projectors: they stop at the same time. */
	private static final int PHASE = Integer.MAX_VALUE - 4000;

	private final RelayServices services;

	private final Map<String, Relay> relays = new LinkedHashMap<>();

	private final StallWatch watch = new StallWatch("eventing-relay-watch", this::stalls);

	private volatile boolean running;

	/**
	 * Asks no server yet.
	 * @throws InvalidRelayOptionsException if two relays have the same name
	 */
	public Relays(RelayServices services, Collection<RelayOptions> relays) {
		this.services = services;
		for (RelayOptions options : relays) {
			if (this.relays.put(options.name(), new Relay(options, services)) != null) {
				throw new InvalidRelayOptionsException(options.name(),
						List.of("'name' must differ between relays, and there are two"));
			}
		}
	}

	/** Starts all; what is away is waited for in the background. */
	@Override
	public void start() {
		this.relays.values().forEach(Relay::start);
		if (!this.relays.isEmpty()) {
			this.watch.start();
		}
		this.running = true;
	}

	private List<Stall> stalls() {
		return this.relays.values().stream().map(Relay::stall).filter(Objects::nonNull).toList();
	}

	/** Stops all, each when what it has in flight is confirmed, or after some seconds. */
	@Override
	public void stop() {
		List<Thread> stops = new ArrayList<>();
		this.relays.forEach((name, relay) -> stops.add(new Thread(relay::stop, "relay-" + name + "-stop")));
		stops.forEach(Thread::start);
		for (Thread stop : stops) {
			try {
				stop.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
		this.watch.close();
		this.running = false;
	}

	/** Starts one relay on this node; nothing happens if it runs. */
	public void start(String relay) {
		find(relay).start();
	}

	/**
	 * Stops one relay on this node and waits until it stopped; another node takes over.
	 */
	public void stop(String relay) {
		find(relay).stop();
	}

	/**
	 * Lets one relay publish nothing further for now. No other node takes over. Does not
	 * survive a restart.
	 */
	public void pause(String relay) {
		find(relay).pause(true);
	}

	/** Ends a pause. */
	public void resume(String relay) {
		find(relay).pause(false);
	}

	/** What each relay is doing on this node; asks no server. */
	public List<RelayStatus> status() {
		return this.relays.values().stream().map(Relay::status).toList();
	}

	/**
	 * What one relay is doing on this node; asks no server.
	 * @throws UnknownRelayException if there is none of that name
	 */
	public RelayStatus status(String relay) {
		return find(relay).status();
	}

	/**
	 * How far one relay is behind, whichever node it runs on. Asks the database, which
	 * looks at 10,000 events at most; see {@link RelayLag#estimated}.
	 */
	public RelayLag lag(String relay) {
		return desk(relay).lag();
	}

	/** The first events that are not published and lie aside, by position. */
	public List<Refusal> refusals(String relay, int limit) {
		return desk(relay).refusals(limit);
	}

	/**
	 * Has the refused event of a stream and those held behind it published again, in
	 * order, by the node that publishes and within a second or so. Then the stream goes
	 * on.
	 * @return how many events that are
	 */
	public int retry(String relay, TenantId tenant, String streamId) {
		return desk(relay).retry(new StreamKey(tenant.value(), streamId));
	}

	/**
	 * Gives up publishing one event: its row is deleted, the event stays in the event
	 * store. What was held behind it is published.
	 * @return whether there was a row
	 */
	public boolean giveUp(String relay, long position) {
		return desk(relay).giveUp(position);
	}

	/**
	 * Accepts that the database was restored to an earlier point than the streams: up to
	 * the highest position found there, store and streams are no longer compared, and new
	 * events get higher positions. A relay that is {@link RelayState#REFUSED} goes on
	 * within a second.
	 * @return that position
	 */
	public long acceptRestore(String relay) {
		return desk(relay).acceptRestore();
	}

	/**
	 * Publishes a range of positions once more, in order, on the caller's thread and
	 * whether or not the relay runs; its position does not change. For a stream that was
	 * lost. Message ids are the same, so that what the stream got within its duplicate
	 * window is dropped. In a stream that has newer events already the older ones come
	 * behind them: consumers that have seen them skip them by their ids, new consumers
	 * get them out of order.
	 * @param from the first position
	 * @param to the last position
	 * @throws PrunedHistoryException if a projector may have forgotten that it applied
	 * the first of them: nothing was published
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if JetStream does not
	 * confirm an event for long; what comes before it was published
	 */
	public Republished republish(String relay, long from, long to) {
		RelayOptions options = find(relay).options();
		PrunedHistory history = new PrunedHistory(new JdbcTemplate(this.services.dataSource()), this.services.schema());
		this.services.log()
			.recordedBehind(from - 1)
			.ifPresent((first) -> requireRemembered(history, relay, from, first));
		return new Republication(options, this.services).run(from, to);
	}

	private static void requireRemembered(PrunedHistory history, String relay, long from, Instant first) {
		history.inStreams().filter((forgotten) -> forgotten.includes(first)).ifPresent((forgotten) -> {
			throw new PrunedHistoryException(
					("Relay '%s' does not publish position %d again: it was recorded at %s, and "
							+ "projector '%s' has pruned, or may soon, what it applied of events before %s, so that it could apply "
							+ "them twice. Consider a later position, or republishAlsoPruned where no projector has seen them.")
						.formatted(relay, from, first, forgotten.projector(), forgotten.before()));
		});
	}

	/**
	 * As {@link #republish}, and also events of which projectors may have forgotten that
	 * they applied them: those that have apply them twice. For streams whose projectors
	 * begin anew, with empty read models.
	 */
	public Republished republishAlsoPruned(String relay, long from, long to) {
		return new Republication(find(relay).options(), this.services).run(from, to);
	}

	private Relay find(String name) {
		Relay relay = this.relays.get(name);
		if (relay == null) {
			throw new UnknownRelayException(name, this.relays.keySet());
		}
		return relay;
	}

	private RelayOperations desk(String relay) {
		return new RelayOperations(find(relay).options(), this.services);
	}

	/** Beside others of the same phase: each may wait for a server that is away. */
	@Override
	public void stop(Runnable callback) {
		new Thread(() -> {
			try {
				stop();
			}
			finally {
				callback.run();
			}
		}, "relays-stop").start();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/** Stops what still runs, also when the application never came up. */
	@Override
	public void close() {
		stop();
	}

}
