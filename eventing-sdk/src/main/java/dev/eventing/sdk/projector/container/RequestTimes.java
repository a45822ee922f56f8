package dev.eventing.sdk.projector.container;

import java.time.Duration;

/**
 * When an owner serves what is requested of its read model, which it may have to try
 * again. For one thread.
 */
final class RequestTimes {

	/** A request that cannot be served now is served again after this time. */
	private static final Duration NOT_YET = Duration.ofSeconds(10);

	/**
	 * An owner that has just begun may not have met yet what the former one handed out.
	 */
	private static final Duration SOON = Duration.ofSeconds(1);

	/** Until then the last look may show a request that was served. */
	private static final Duration SERVED = Duration.ofSeconds(2);

	/** By {@link System#nanoTime}. */
	private long next = System.nanoTime();

	/** By {@link System#nanoTime}. */
	private long ownsSince = System.nanoTime();

	/** This node has become the owner. */
	void owns() {
		this.ownsSince = System.nanoTime();
	}

	boolean isDue() {
		return System.nanoTime() - this.next >= 0;
	}

	/** The request has been answered. */
	void served() {
		this.next = System.nanoTime() + SERVED.toNanos();
	}

	/** It could not be served now. */
	void later() {
		long now = System.nanoTime();
		this.next = now + ((now - this.ownsSince < NOT_YET.toNanos()) ? SOON : NOT_YET).toNanos();
	}

}
