package dev.eventing.sdk.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes readers of the log when there may be new events, so that they need not wait for
 * their next poll. Only a hint: it covers appends of this process, and those of other
 * processes only if {@code NOTIFY} is on. Thread-safe.
 */
public final class AppendSignal {

	private static final long LONGEST_IGNORED = TimeUnit.MILLISECONDS.toNanos(25);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final AtomicLong count = new AtomicLong();

	/** The number of signalled appends. Call it before reading the log. */
	public long count() {
		return this.count.get();
	}

	/**
	 * Waits until {@link #count} differs from {@code seen}.
	 * @return true if it differs; false if the time is over
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
	 * As {@link #await}, for a reader that waits at a hole of the log. Most appends do
	 * not fill the hole, so signals are ignored during the first half of the time, at
	 * most 25 ms.
	 */
	public boolean awaitAtHole(long seen, Duration wait) throws InterruptedException {
		long ignored = Math.min(wait.toNanos() / 2, LONGEST_IGNORED);
		TimeUnit.NANOSECONDS.sleep(ignored);
		return await(seen, wait.minusNanos(ignored));
	}

	/** Signals that events were committed, or may have been. */
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
