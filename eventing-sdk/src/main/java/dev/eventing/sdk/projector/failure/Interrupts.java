package dev.eventing.sdk.projector.failure;

import java.util.concurrent.CountDownLatch;

/**
 * Takes back the interrupt flag that a handler leaves on the thread it was lent. Whatever
 * waits next on that thread would end for it. The flag of who stops the thread stays.
 * Thread-safe.
 */
public final class Interrupts {

	private final CountDownLatch stopping;

	/**
	 * Looks at the flag of whatever thread asks.
	 * @param stopping counted down before threads are interrupted so that they stop
	 */
	public Interrupts(CountDownLatch stopping) {
		this.stopping = stopping;
	}

	/** Clears the flag of this thread, unless it is to stop. */
	public void clear() {
		if (this.stopping.getCount() > 0 && Thread.interrupted() && this.stopping.getCount() == 0) {
			// the stop came in between: the flag that was taken was its own
			Thread.currentThread().interrupt();
		}
	}

}
