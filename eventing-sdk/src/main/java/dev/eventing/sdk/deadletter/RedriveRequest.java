package dev.eventing.sdk.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * A request to redrive letters.
 *
 * @param filter selects the letters. Only parked ones are redriven. All open letters of
 * their keys are redriven with them, in order.
 * @param actor the user who requests it, for the audit; not blank
 * @param ratePerSecond the most letters per second, or null for no limit
 */
public record RedriveRequest(DeadLetterFilter filter, String actor, @Nullable Integer ratePerSecond) {

	public RedriveRequest {
		if (actor.isBlank()) {
			throw new IllegalArgumentException(
					"'actor' must not be blank. Consider the name of the user who requests the redrive.");
		}
		if (ratePerSecond != null && ratePerSecond < 1) {
			throw new IllegalArgumentException("'ratePerSecond' must be at least 1, was " + ratePerSecond + ".");
		}
	}

	/** Creates a request without a rate limit. */
	public static RedriveRequest of(DeadLetterFilter filter, String actor) {
		return new RedriveRequest(filter, actor, null);
	}

}
