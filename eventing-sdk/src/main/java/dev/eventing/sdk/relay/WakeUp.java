package dev.eventing.sdk.relay;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/** Lets one thread wait until any of several others has something for it. */
final class WakeUp {

	private volatile @Nullable Thread waiting;

	/** There is something; whoever waits looks. Costs little while nobody does. */
	void call() {
		Thread thread = this.waiting;
		if (thread != null) {
			LockSupport.unpark(thread);
		}
	}

	/**
	 * Waits until it is called, or for so long; may also return without a reason.
	 * @param idle looked at before waiting, so that no call is missed
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
