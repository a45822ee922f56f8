package dev.eventing.sdk.projector.suspect;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets suspects run one at a time in this process, whatever their lane or projector. If
 * the process dies, only the suspect that was running has an open attempt. Otherwise
 * harmless events would be charged with the same death, and would become dead letters
 * too.
 *
 * <p>
 * A handler that hangs must not hold up all projectors. So a turn lasts at most
 * {@link #LONGEST}. After that the handler continues beside the others, which take turns
 * among themselves. They wait for it only once in total. Thread-safe.
 */
public final class SuspectGate {

	private static final Logger logger = LoggerFactory.getLogger(SuspectGate.class);

	/** The longest turn. */
	static final Duration LONGEST = Duration.ofSeconds(2);

	/** The gate that all projectors of the process share. */
	public static final SuspectGate OF_PROCESS = new SuspectGate(LONGEST);

	private final Duration longest;

	private final ReentrantLock lock = new ReentrantLock(true);

	private final Condition free = this.lock.newCondition();

	private @Nullable Turn current;

	SuspectGate(Duration longest) {
		this.longest = longest;
	}

	/**
	 * Runs the action when no other has the turn, or the other's turn has lasted too
	 * long.
	 * @throws InterruptedException if the thread must stop while it waits
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
					logger.warn("An event that may have ended a process runs beside another one,"
							+ " whose handler is still running after {}.", this.longest);
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

	private static final class Turn {

		private final long since = System.nanoTime();

	}

}
