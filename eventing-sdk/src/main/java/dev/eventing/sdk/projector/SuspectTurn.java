package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the suspects of this process run one at a time, on whatever lane and of whichever
 * projector. When the process dies, the one attempt under way is that of the event that
 * may have killed it; were there others, events that did nothing would be charged with
 * the same deaths and become dead letters beside it.
 */
final class SuspectTurn {

	private static final Logger logger = LoggerFactory.getLogger(SuspectTurn.class);

	/** One for all: they live and die with the process. */
	private static final ReentrantLock TURN = new ReentrantLock(true);

	private SuspectTurn() {
	}

	/**
	 * Runs the action when no other suspect runs.
	 * @param patience how long to wait for that; then it runs beside the other, so that a
	 * handler that hangs does not hold up all projectors
	 * @throws InterruptedException if the thread is to stop while it waits
	 */
	static void run(Duration patience, Runnable action) throws InterruptedException {
		boolean alone = TURN.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS);
		if (!alone) {
			logger.warn("An event that may have ended the process before runs beside another one,"
					+ " whose handler still runs after {}.", patience);
		}
		try {
			action.run();
		}
		finally {
			if (alone) {
				TURN.unlock();
			}
		}
	}

}
