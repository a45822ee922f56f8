package dev.eventing.sdk.store;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells readers of the log that there may be something new, so that they need not wait
 * for their next look. Only a hint: appends of other processes are told by {@code NOTIFY}
 * if that is on, and not at all if not. Thread-safe.
 */
public final class AppendSignal {

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
