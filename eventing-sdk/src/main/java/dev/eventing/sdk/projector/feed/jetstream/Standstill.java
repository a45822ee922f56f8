package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;

import dev.eventing.sdk.projector.feed.Undelivered;
import org.jspecify.annotations.Nullable;

/**
 * Since when nothing is delivered although events wait, and why. For the thread that
 * reads, except {@link #isAtRest} and {@link #current}.
 */
final class Standstill {

	/** A request may take almost this long. */
	static final Duration NOTEWORTHY = Duration.ofSeconds(4);

	private long wentOnAt = System.nanoTime();

	private volatile long restsSince = System.nanoTime();

	private volatile boolean rests = true;

	private volatile @Nullable Undelivered current;

	/** Records progress, or that none is to be expected. */
	void goesOn() {
		this.wentOnAt = System.nanoTime();
		if (this.current != null) {
			this.current = null;
		}
	}

	/** Nothing is read from now on. */
	void rest() {
		this.restsSince = System.nanoTime();
		this.rests = true;
	}

	/**
	 * Events are read again. A short rest does not count: the feed may have to make
	 * itself ready again and again.
	 */
	void resume() {
		if (isLongerThan(NOTEWORTHY, this.restsSince)) {
			goesOn();
		}
		this.rests = false;
	}

	/** Whether the last progress was longer ago than a request takes. */
	boolean isNoteworthy() {
		return isLongerThan(NOTEWORTHY);
	}

	/** Whether the last progress was longer ago than this. */
	boolean isLongerThan(Duration time) {
		return isLongerThan(time, this.wentOnAt);
	}

	private static boolean isLongerThan(Duration time, long since) {
		return System.nanoTime() - since > time.toNanos();
	}

	/** Records why there is no progress; null if that may be right. */
	void because(@Nullable String why) {
		this.current = (why != null) ? new Undelivered(this.wentOnAt, why) : null;
	}

	/**
	 * Whether nothing has been read for a while, as in an outage: then the source is not
	 * asked. For any thread.
	 */
	boolean isAtRest() {
		return this.rests && isLongerThan(NOTEWORTHY, this.restsSince);
	}

	/** Null if there is progress, or nothing is read. For any thread. */
	@Nullable Undelivered current() {
		return isAtRest() ? null : this.current;
	}

}
