package dev.eventing.sdk.projector.delivery;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The budget of an event that failed alone, with errors that may be the database's,
 * although the database was well. It is for all attempts of the event while its node
 * holds it, so the event's own failures cost its lane that time only once. Not
 * thread-safe.
 */
public final class Doubts {

	/**
	 * The least number of further runs, however long one takes: the network may cut a
	 * session twice.
	 */
	private static final int LEAST = 2;

	/** The time for further runs: a lock or a change of servers may last that long. */
	private static final Duration LONGEST = Duration.ofSeconds(6);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

	private int failures;

	/** When the first of these failures was, by {@link System#nanoTime}. */
	private long firstAt;

	/** Whether a failure of the database repeated until it counted as the event's. */
	private boolean worn;

	/**
	 * Such a failure. Each pause is twice as long as the one before.
	 * @param now by {@link System#nanoTime}
	 * @return the pause before the event runs again, and nothing is counted; null if the
	 * failure is its own
	 */
	public @Nullable Duration failed(long now) {
		if (this.failures == 0) {
			this.firstAt = now;
		}
		Duration left = LONGEST.minusNanos(now - this.firstAt);
		boolean over = left.isNegative() || left.isZero();
		if (over && this.failures >= LEAST) {
			return null;
		}
		Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(this.failures, 4));
		this.failures++;
		return (!over && this.failures > LEAST && left.compareTo(pause) < 0) ? left : pause;
	}

	/**
	 * The database was not well at the last failure, so neither it nor those before it
	 * speak against the event. What {@link #wear} keeps stays.
	 */
	public void clear() {
		this.failures = 0;
	}

	/** Whether {@link #wear} was called. */
	public boolean isWorn() {
		return this.worn;
	}

	/** Contention, or what seemed to be an outage, repeated until it was its own. */
	public void wear() {
		this.worn = true;
	}

}
