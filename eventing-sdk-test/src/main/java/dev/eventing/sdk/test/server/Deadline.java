package dev.eventing.sdk.test.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A point in time up to which something outside this JVM is waited for. */
record Deadline(long nanoTime) {

	private static final long PAUSE = Duration.ofMillis(10).toNanos();

	static Deadline in(Duration duration) {
		return new Deadline(System.nanoTime() + duration.toNanos());
	}

	/**
	 * Waits a little before the next look.
	 * @return whether there is a next look: false once the time is up or the thread is
	 * interrupted
	 */
	boolean pause() {
		if (System.nanoTime() - this.nanoTime >= 0 || Thread.currentThread().isInterrupted()) {
			return false;
		}
		LockSupport.parkNanos(PAUSE);
		return true;
	}

}
