package dev.eventing.sdk.projector.redrive;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Asks the ledger periodically which projectors of this node have letters to redrive, and
 * calls their {@link RedriveLoop}. One query serves all projectors. While there is
 * nothing to redrive, another query of the node asks for it: see {@link #due}. If that
 * does not answer, this poll sends its own query. An outage of the database only delays
 * the thread of this poll. Thread-safe.
 */
public final class RedrivePoll implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(RedrivePoll.class);

	private static final Duration INTERVAL = Duration.ofMillis(500);

	/** The interval if there was nothing to redrive lately. */
	private static final Duration IDLE_INTERVAL = Duration.ofSeconds(2);

	/**
	 * A query of the node asks for this poll if no more than this is left of the
	 * interval. Such queries come about once a second.
	 */
	private static final Duration LEFT = Duration.ofMillis(500);

	/** Without an answer to another query for this time, the poll sends its own. */
	private static final Duration UNANSWERED = Duration.ofSeconds(3);

	private static final Duration LATELY = Duration.ofSeconds(10);

	private final RedriveLedger ledger;

	/** Called when the projector has letters to redrive. */
	private final Map<ProjectorId, Runnable> calls = new ConcurrentHashMap<>();

	private final SupervisedWorker worker = SupervisedWorker.daemon("eventing-redrive-poll", this::run);

	private volatile long lookedAt = System.nanoTime() - UNANSWERED.toNanos();

	private volatile long foundAt = System.nanoTime() - LATELY.toNanos();

	public RedrivePoll(RedriveLedger ledger) {
		this.ledger = ledger;
	}

	public SupervisedWorker worker() {
		return this.worker;
	}

	/**
	 * Adds a projector.
	 * @param call called on the thread of this poll each time the projector has letters
	 * to redrive; must return at once
	 */
	void add(ProjectorId projector, Runnable call) {
		this.calls.put(projector, call);
		this.worker.start();
	}

	/** Removes a projector, unless it was added again with another call. */
	void remove(ProjectorId projector, Runnable call) {
		this.calls.remove(projector, call);
	}

	/** Stops, and does not wait for a query that is running. */
	@Override
	public void close() {
		this.worker.interrupt();
	}

	private void run() throws InterruptedException {
		while (!this.worker.awaitStop(INTERVAL)) {
			ask();
			this.worker.beat();
		}
	}

	/**
	 * The projectors for which another query is to ask now, on behalf of this poll; none
	 * if it is too early, or if this poll sends its own queries.
	 */
	public Set<ProjectorId> due() {
		return (hasFoundLately() || sinceLook().compareTo(IDLE_INTERVAL.minus(LEFT)) < 0) ? Set.of() : all();
	}

	/** Calls those of the projectors that have letters to redrive. */
	public void answered(Set<ProjectorId> found) {
		found.forEach((projector) -> this.calls.getOrDefault(projector, () -> {
		}).run());
		long now = System.nanoTime();
		this.foundAt = found.isEmpty() ? this.foundAt : now;
		this.lookedAt = now;
	}

	private void ask() {
		if (sinceLook().compareTo(hasFoundLately() ? INTERVAL : UNANSWERED) < 0) {
			return;
		}
		try {
			answered(this.ledger.projectorsToRedrive(all()));
		}
		catch (DataAccessException ex) {
			this.lookedAt = System.nanoTime();
			logger.debug("The letters to redrive cannot be looked up now.", ex);
		}
	}

	private Set<ProjectorId> all() {
		return Set.copyOf(this.calls.keySet());
	}

	private boolean hasFoundLately() {
		return System.nanoTime() - this.foundAt < LATELY.toNanos();
	}

	private Duration sinceLook() {
		return Duration.ofNanos(System.nanoTime() - this.lookedAt);
	}

}
