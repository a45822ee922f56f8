package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

import dev.eventing.sdk.deadletter.RedriveLedger;

/**
 * Asks the ledger now and then, once for all projectors of this node, which of them have
 * letters to redrive. Thread-safe.
 */
final class RedrivePoll {

	static final Duration INTERVAL = Duration.ofMillis(500);

	/** As long as there was nothing to redrive lately, one node asks so often. */
	private static final Duration IDLE_INTERVAL = Duration.ofSeconds(2);

	private static final Duration LATELY = Duration.ofSeconds(10);

	private final RedriveLedger ledger;

	private final Set<String> projectors = ConcurrentHashMap.newKeySet();

	private final Set<String> found = ConcurrentHashMap.newKeySet();

	private final ReentrantLock asking = new ReentrantLock();

	private long askedAt = System.nanoTime() - IDLE_INTERVAL.toNanos();

	private long foundAt = System.nanoTime() - LATELY.toNanos();

	RedrivePoll(RedriveLedger ledger) {
		this.ledger = ledger;
	}

	/**
	 * Whether the projector has letters to redrive, as far as is known; says so once.
	 * Asks if nobody has for a while; while somebody does, others do not wait for it.
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	boolean hasWork(String projector) {
		this.projectors.add(projector);
		if (this.asking.tryLock()) {
			try {
				long now = System.nanoTime();
				Duration interval = (now - this.foundAt < LATELY.toNanos()) ? INTERVAL : IDLE_INTERVAL;
				if (now - this.askedAt >= interval.toNanos()) {
					this.askedAt = now;
					if (this.found.addAll(this.ledger.projectorsToRedrive(new HashSet<>(this.projectors)))) {
						this.foundAt = now;
					}
				}
			}
			finally {
				this.asking.unlock();
			}
		}
		return this.found.remove(projector);
	}

	/** The projector does not run here any more. */
	void forget(String projector) {
		this.projectors.remove(projector);
		this.found.remove(projector);
	}

}
