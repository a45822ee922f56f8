package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.time.Instant;

/**
 * One life of a stream. A stream that was deleted and made anew has the same name and the
 * same sequences, and JetStream takes settlements by these alone: one of an event of the
 * former life would settle another event of the next. Thread-safe.
 */
final class Incarnation {

	/** How long the stream keeps its events; zero for ever. */
	private volatile Duration maxAge = Duration.ZERO;

	private volatile boolean over;

	/** The stream was deleted: nothing of it is settled any more. */
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
	 * Whether the stream keeps at this time, as far as its age goes, what it stored then.
	 */
	boolean keeps(Instant storedAt, Instant until) {
		return this.maxAge.isZero() || until.isBefore(storedAt.plus(this.maxAge));
	}

}
