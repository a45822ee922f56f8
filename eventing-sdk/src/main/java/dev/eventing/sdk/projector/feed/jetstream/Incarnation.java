package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.time.Instant;

/**
 * One life of a stream. A stream that was deleted and recreated has the same name and
 * begins with the same sequences; one that lost its end gives its last sequences to other
 * events. JetStream identifies settlements by these alone, so a settlement of the former
 * life would settle another event of the new one. Thread-safe.
 */
final class Incarnation {

	/** How long the stream keeps its events; zero means forever. */
	private volatile Duration maxAge = Duration.ZERO;

	private volatile boolean over;

	/**
	 * Ends it, because the stream was deleted or lost its end. From now on, none of its
	 * events is settled.
	 */
	void end() {
		this.over = true;
	}

	boolean isOver() {
		return this.over;
	}

	void setMaxAge(Duration maxAge) {
		this.maxAge = maxAge;
	}

	/**
	 * Whether the stream still has an event at a time, as far as its maximum age decides.
	 * @param storedAt when the stream stored the event
	 * @param until the time
	 */
	boolean keeps(Instant storedAt, Instant until) {
		return this.maxAge.isZero() || until.isBefore(storedAt.plus(this.maxAge));
	}

}
