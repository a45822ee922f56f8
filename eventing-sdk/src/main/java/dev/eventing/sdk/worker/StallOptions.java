package dev.eventing.sdk.worker;

import java.time.Duration;

/**
 * When a thread of the SDK counts as hanging. Projectors and relays have a limit of their
 * own, {@code stalled-after}; this is for all others.
 *
 * @param stalledAfter how long a thread may take without a sign of life, while it does
 * not rest; at least 100 ms
 */
public record StallOptions(Duration stalledAfter) {

	/** Five minutes, as for projectors and relays. */
	public static final Duration STALLED_AFTER = Duration.ofMinutes(5);

	private static final Duration SHORTEST = Duration.ofMillis(100);

	/**
	 * Checks the value.
	 * @throws IllegalArgumentException if it is too short
	 */
	public StallOptions {
		if (stalledAfter.compareTo(SHORTEST) < 0) {
			throw new IllegalArgumentException("'stalledAfter' must be at least " + SHORTEST.toMillis() + " ms, not "
					+ stalledAfter.toMillis() + " ms. Consider more than the time-out of statements.");
		}
	}

	/** Five minutes. */
	public static StallOptions defaults() {
		return new StallOptions(STALLED_AFTER);
	}

}
