package dev.eventing.sdk.projector.container;

import org.jspecify.annotations.Nullable;

/** A start that a stop may cut short, whoever's thread it runs on. Thread-safe. */
final class StartUnderWay {

	private @Nullable Thread thread;

	private boolean stopped;

	/** This thread starts something. */
	synchronized void begin() {
		this.thread = Thread.currentThread();
		this.stopped = false;
	}

	/**
	 * This thread has started it, or failed to. Takes the interrupt of a stop back.
	 * @return whether a stop came meanwhile
	 */
	synchronized boolean end() {
		this.thread = null;
		if (this.stopped) {
			Thread.interrupted();
		}
		return this.stopped;
	}

	/**
	 * Interrupts the start that is under way, which undoes itself.
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
