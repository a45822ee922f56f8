package dev.eventing.sdk.projection;

import java.time.Duration;

/**
 * How checks run.
 *
 * @param timeout how long the query of a check may take, from one second to ten minutes.
 * Its snapshot keeps the database from removing old rows for that time.
 */
public record ReconciliationOptions(Duration timeout) {

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofMinutes(10);

	/**
	 * Checks the value.
	 * @throws IllegalArgumentException if the time-out is out of range
	 */
	public ReconciliationOptions {
		if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("'timeout' must be from " + SHORTEST + " to " + LONGEST + ", not "
					+ timeout + ". Consider a check of fewer events, such as the events of one day.");
		}
	}

	/** A time-out of 30 seconds. */
	public static ReconciliationOptions defaults() {
		return new ReconciliationOptions(Duration.ofSeconds(30));
	}

}
