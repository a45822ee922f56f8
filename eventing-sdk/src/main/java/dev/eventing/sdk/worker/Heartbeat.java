package dev.eventing.sdk.worker;

import java.time.Duration;

/**
 * The signs of life of one piece of work: its beats, and its rests. The thread of the
 * work gives them, any may read.
 */
final class Heartbeat {

	private volatile long beatAt = System.nanoTime();

	private volatile boolean resting;

	/** When the work last resumed after a rest, or began. */
	private volatile long awakeSince = System.nanoTime();

	void beat() {
		this.beatAt = System.nanoTime();
	}

	/** The work begins, on a new thread. */
	void begins() {
		this.awakeSince = System.nanoTime();
	}

	<T> T rest(Wait<T> wait) throws InterruptedException {
		this.resting = true;
		try {
			return wait.await();
		}
		finally {
			this.awakeSince = System.nanoTime();
			this.resting = false;
		}
	}

	Duration sinceBeat() {
		return Duration.ofNanos(System.nanoTime() - this.beatAt);
	}

	/** How long there was neither a beat nor a rest; zero during a rest. */
	Duration silence() {
		long now = System.nanoTime();
		return this.resting ? Duration.ZERO : Duration.ofNanos(Math.min(now - this.beatAt, now - this.awakeSince));
	}

}
