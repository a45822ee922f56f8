package dev.eventing.sdk.projector;

import java.time.Duration;

/**
 * How far a projector lags.
 *
 * @param events the number of events that it has not settled. For JetStream, these are
 * events of its subjects. For the event store, these are all events after its checkpoint:
 * counted below 10,000, and above that the difference of positions.
 * @param time the age of the oldest of them; zero if there is none
 */
public record ProjectorLag(long events, Duration time) {

	/** No lag. */
	public static final ProjectorLag NONE = new ProjectorLag(0, Duration.ZERO);

}
