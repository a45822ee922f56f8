package dev.eventing.sdk.relay;

import org.jspecify.annotations.Nullable;

/**
 * What an event that was set aside waits for. Either the subject or the place is null.
 *
 * @param subject a subject that no stream of JetStream carries
 * @param place a place that takes no events now, as {@link ClosedPlaces} names it
 * @param reason why, as text for operators
 */
record WaitsFor(@Nullable String subject, @Nullable String place, String reason) {

	static WaitsFor carrier(String subject) {
		return new WaitsFor(subject, null, "No stream of JetStream carries '" + subject
				+ "'. It is published once one does. Consider adding the subject to a stream.");
	}

	static WaitsFor place(String place, String reason) {
		return new WaitsFor(null, place, reason + " It is published once the " + place + " takes events.");
	}

}
