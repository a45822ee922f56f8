package dev.eventing.sdk.projector.attempt;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the events of this process that are likely to end it run one at a time, on
 * whatever lane and of whichever projector. When the process dies, the one attempt under
 * way is that of the event that may have killed it; were there others, events that did
 * nothing would be charged with the same deaths and become dead letters beside it.
 *
 * <p>
 * A handler that hangs must not hold up all projectors. So a turn lasts {@link #LONGEST}
 * at most: after that the handler runs on beside the others, which take turns among
 * themselves. What waits for that has passed for all of them at once. Thread-safe.
 */
public final class SuspectGate {

	private static final Logger logger = LoggerFactory.getLogger(SuspectGate.class);

	/** How long an event has its turn. */
	static final Duration LONGEST = Duration.ofSeconds(2);

	/** One for all: they live and die with the process. */
	public static final SuspectGate OF_PROCESS = new SuspectGate(LONGEST);

	private final Duration longest;

	private final ReentrantLock lock = new ReentrantLock(true);

	private final Condition free = this.lock.newCondition();

	private @Nullable Turn current;

	SuspectGate(Duration longest) {
		this.longest = longest;
	}

	/**
	 * Runs the action when nobody has the turn, or has had it for too long.
	 * @throws InterruptedException if the thread is to stop while it waits
	 */
	public void run(Runnable action) throws InterruptedException {
		Turn mine = begin();
		try {
			action.run();
		}
		finally {
			end(mine);
		}
	}

	private Turn begin() throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			while (this.current != null) {
				long left = this.longest.toNanos() - (System.nanoTime() - this.current.since);
				if (left <= 0) {
					logger.warn("Events that may have ended the process before run beside another one,"
							+ " whose handler still runs after {}.", this.longest);
					break;
				}
				this.free.awaitNanos(left);
			}
			Turn mine = new Turn();
			this.current = mine;
			return mine;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void end(Turn mine) {
		this.lock.lock();
		try {
			if (this.current == mine) {
				this.current = null;
				this.free.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Somebody's turn. */
	private static final class Turn {

		private final long since = System.nanoTime();

	}

}
