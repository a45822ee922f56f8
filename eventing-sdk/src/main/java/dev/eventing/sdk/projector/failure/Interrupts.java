package dev.eventing.sdk.projector.failure;

import java.util.concurrent.CountDownLatch;

/**
 * Clears the interrupt flag that a handler leaves on its thread. Otherwise the flag would
 * end the next wait on that thread. The flag that a stop sets stays. Thread-safe.
 */
public final class Interrupts {

	private final CountDownLatch stopping;

	/**
	 * Creates an instance for all threads of a projector.
	 * @param stopping counted down before a stop interrupts the threads
	 */
	public Interrupts(CountDownLatch stopping) {
		this.stopping = stopping;
	}

	/** Clears the flag of the calling thread, unless the thread must stop. */
	public void clear() {
		if (this.stopping.getCount() > 0 && Thread.interrupted() && this.stopping.getCount() == 0) {
			// the stop came in between, and this cleared its flag: set it again
			Thread.currentThread().interrupt();
		}
	}

}
