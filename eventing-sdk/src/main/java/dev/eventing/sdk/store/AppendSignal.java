package dev.eventing.sdk.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells readers of the log that there may be something new, so that they need not wait
 * for their next look. Only a hint: appends of other processes are told by {@code NOTIFY}
 * if that is on, and not at all if not. Thread-safe.
 */
public final class AppendSignal {

	private static final long LONGEST_DEAF = TimeUnit.MILLISECONDS.toNanos(25);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final AtomicLong count = new AtomicLong();

	/** How often something was appended; take it before looking at the log. */
	public long count() {
		return this.count.get();
	}

	/**
	 * Waits until something is committed after {@link #count} was {@code seen}.
	 * @return whether it was; false when the time is over
	 */
	public boolean await(long seen, Duration wait) throws InterruptedException {
		long nanos = wait.toNanos();
		this.lock.lockInterruptibly();
		try {
			while (this.count.get() == seen && nanos > 0) {
				nanos = this.changed.awaitNanos(nanos);
			}
			return this.count.get() != seen;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * As {@link #await}, for who stands at a hole of the log, which most appends do not
	 * fill: does not listen during the first half of the time, or 25 ms of it.
	 */
	public boolean awaitAtHole(long seen, Duration wait) throws InterruptedException {
		long deaf = Math.min(wait.toNanos() / 2, LONGEST_DEAF);
		TimeUnit.NANOSECONDS.sleep(deaf);
		return await(seen, wait.minusNanos(deaf));
	}

	/** Something was committed, or may have been. */
	public void appended() {
		this.lock.lock();
		try {
			this.count.incrementAndGet();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

}
