package dev.eventing.sdk.projector.container;

import org.jspecify.annotations.Nullable;

/** A start on any thread, which a stop can interrupt. Thread-safe. */
final class StartUnderWay {

	private @Nullable Thread thread;

	private boolean stopped;

	/** Begins a start on this thread. */
	synchronized void begin() {
		this.thread = Thread.currentThread();
		this.stopped = false;
	}

	/**
	 * Ends the start, whether it succeeded or not. Clears the interrupt flag that a stop
	 * set.
	 * @return whether a stop came during the start
	 */
	synchronized boolean end() {
		this.thread = null;
		if (this.stopped) {
			Thread.interrupted();
		}
		return this.stopped;
	}

	/**
	 * Interrupts the current start. Its thread then undoes it.
	 * @return whether there is one
	 */
	synchronized boolean interrupt() {
		Thread starting = this.thread;
		if (starting == null) {
			return false;
		}
		this.stopped = true;
		starting.interrupt();
		return true;
	}

}
