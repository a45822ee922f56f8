package dev.eventing.sdk.projector.container;

import java.time.Duration;

/** When an owner may next try to serve a request for its read model. For one thread. */
final class RequestTimes {

	/** A request that could not be served is tried again after this time. */
	private static final Duration NOT_YET = Duration.ofSeconds(10);

	/**
	 * The same for a new owner, which may still wait for events that the former one held.
	 */
	private static final Duration SOON = Duration.ofSeconds(1);

	/** How long the last look may still show a request that was served. */
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
