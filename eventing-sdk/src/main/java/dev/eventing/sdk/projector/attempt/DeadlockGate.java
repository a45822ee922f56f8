package dev.eventing.sdk.projector.attempt;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

import dev.eventing.sdk.event.DurationText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the lanes of a projector run side by side until their transactions deadlock. Then
 * they take turns for a while. Lanes own keys, but a handler may change rows that many
 * keys share. By default PostgreSQL needs a second to find a deadlock, so lanes that went
 * on side by side would mostly wait. Thread-safe.
 */
final class DeadlockGate {

	private static final Logger logger = LoggerFactory.getLogger(DeadlockGate.class);

	/** How long lanes take turns. One deadlock in this time costs almost nothing. */
	private static final Duration WHILE = Duration.ofMinutes(1);

	private final ProjectorId projector;

	/** Fair, so that no lane starves. */
	private final ReentrantLock turn = new ReentrantLock(true);

	private volatile long until = System.nanoTime();

	DeadlockGate(ProjectorId projector) {
		this.projector = projector;
	}

	/**
	 * Runs the action. While lanes take turns, waits for a turn first.
	 * @throws InterruptedException if the thread must stop while it waits
	 */
	void run(InterruptibleAction action) throws InterruptedException {
		boolean alone = areTaken();
		if (alone) {
			this.turn.lockInterruptibly();
		}
		try {
			action.run();
		}
		catch (RuntimeException ex) {
			if (FailureClassifier.isDeadlock(ex)) {
				begin();
			}
			throw ex;
		}
		finally {
			if (alone) {
				this.turn.unlock();
			}
		}
	}

	/** Whether lanes take turns now. */
	private boolean areTaken() {
		return System.nanoTime() - this.until < 0;
	}

	private void begin() {
		if (!areTaken()) {
			logger.warn(
					"Transactions of projector '{}' deadlocked, so its lanes take turns for {}. Consider"
							+ " ReadModelWriter.add for rows that many keys share, or concurrency = 1.",
					this.projector, DurationText.of(WHILE));
		}
		this.until = System.nanoTime() + WHILE.toNanos();
	}

}
