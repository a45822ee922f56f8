package dev.eventing.sdk.relay;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/** Lets one thread wait until any of several other threads has work for it. */
final class WakeUp {

	private volatile @Nullable Thread waiting;

	/** Wakes the waiting thread. Cheap while no thread waits. */
	void call() {
		Thread thread = this.waiting;
		if (thread != null) {
			LockSupport.unpark(thread);
		}
	}

	/**
	 * Waits until {@link #call}, or until the time is over. May also return earlier
	 * without a reason.
	 * @param idle checked before waiting, so that no call is missed
	 */
	void await(long nanos, BooleanSupplier idle) throws InterruptedException {
		this.waiting = Thread.currentThread();
		if (idle.getAsBoolean()) {
			LockSupport.parkNanos(this, nanos);
		}
		this.waiting = null;
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
	}

}
