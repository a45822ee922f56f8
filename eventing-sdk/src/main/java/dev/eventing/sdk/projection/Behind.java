package dev.eventing.sdk.projection;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How far a projector lags, as far as that is known.
 *
 * @param events the number of events that it has not settled, or null if unknown
 * @param time the age of the oldest of them, zero if there is none, or null if unknown
 */
public record Behind(@Nullable Long events, @Nullable Duration time) {

	/** Nothing is known. */
	public static final Behind UNKNOWN = new Behind(null, null);

}
