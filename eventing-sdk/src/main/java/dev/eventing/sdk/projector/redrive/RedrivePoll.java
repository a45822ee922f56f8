package dev.eventing.sdk.projector.redrive;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Asks the ledger now and then, once for all projectors of this node, which of them have
 * letters to redrive, and calls these. On a thread of its own, which an outage of the
 * database holds up. Thread-safe.
 */
public final class RedrivePoll implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(RedrivePoll.class);

	private static final Duration INTERVAL = Duration.ofMillis(500);

	/** As long as there was nothing to redrive lately, one node asks so often. */
	private static final Duration IDLE_INTERVAL = Duration.ofSeconds(2);

	private static final Duration LATELY = Duration.ofSeconds(10);

	private final RedriveLedger ledger;

	/** What is told that a projector has letters to redrive. */
	private final Map<String, Runnable> calls = new ConcurrentHashMap<>();

	private final SupervisedWorker worker = SupervisedWorker.daemon("eventing-redrive-poll", this::run);

	/** For the thread that asks. */
	private long askedAt = System.nanoTime() - IDLE_INTERVAL.toNanos();

	/** For the thread that asks. */
	private long foundAt = System.nanoTime() - LATELY.toNanos();

	public RedrivePoll(RedriveLedger ledger) {
		this.ledger = ledger;
	}

	/** Shows whether it asks now. */
	public SupervisedWorker worker() {
		return this.worker;
	}

	/**
	 * Asks for this projector too.
	 * @param call is told each time that it has letters to redrive; must return at once
	 */
	void add(String projector, Runnable call) {
		this.calls.put(projector, call);
		this.worker.start();
	}

	/** The projector does not run here any more, unless it was added anew. */
	void remove(String projector, Runnable call) {
		this.calls.remove(projector, call);
	}

	/** Asks no more, and does not wait for an answer. */
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

	private void ask() {
		long now = System.nanoTime();
		Duration interval = (now - this.foundAt < LATELY.toNanos()) ? INTERVAL : IDLE_INTERVAL;
		if (now - this.askedAt < interval.toNanos()) {
			return;
		}
		try {
			Set<String> found = this.ledger.projectorsToRedrive(Set.copyOf(this.calls.keySet()));
			found.forEach((projector) -> this.calls.getOrDefault(projector, () -> {
			}).run());
			this.foundAt = found.isEmpty() ? this.foundAt : now;
		}
		catch (DataAccessException ex) {
			logger.debug("The letters to redrive cannot be looked up now.", ex);
		}
		this.askedAt = now; // what ends unexpectedly asks again when it begins again
	}

}
