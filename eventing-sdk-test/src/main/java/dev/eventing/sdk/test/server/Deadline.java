package dev.eventing.sdk.test.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The time until which to wait for an event outside this JVM. */
record Deadline(long nanoTime) {

	private static final long PAUSE = Duration.ofMillis(10).toNanos();

	static Deadline in(Duration duration) {
		return new Deadline(System.nanoTime() + duration.toNanos());
	}

	/**
	 * Waits a little before the next check.
	 * @return whether there is a next check: false if the time is over or the thread is
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
