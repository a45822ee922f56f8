package dev.eventing.sdk.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * A wish to redrive letters.
 *
 * @param filter which: of those that fit, the parked ones. With each letter go all open
 * letters of its key, in order.
 * @param actor who wants it, for the audit
 * @param ratePerSecond how many letters a second at most, or null: as fast as it goes
 */
public record RedriveRequest(DeadLetterFilter filter, String actor, @Nullable Integer ratePerSecond) {

	public RedriveRequest {
		if (actor.isBlank()) {
			throw new IllegalArgumentException("A redrive needs an actor, who answers for it.");
		}
		if (ratePerSecond != null && ratePerSecond < 1) {
			throw new IllegalArgumentException("'ratePerSecond' must be at least 1, was " + ratePerSecond + ".");
		}
	}

	/** As fast as it goes. */
	public static RedriveRequest of(DeadLetterFilter filter, String actor) {
		return new RedriveRequest(filter, actor, null);
	}

}
