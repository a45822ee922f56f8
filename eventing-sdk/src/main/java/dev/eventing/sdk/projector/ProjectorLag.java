package dev.eventing.sdk.projector;

import java.time.Duration;

/**
 * How far a projector is behind.
 *
 * @param events how many events it has not settled. From JetStream, events of its
 * subjects; from the event store, all events behind its checkpoint, counted up to ten
 * thousand and beyond that by the distance of positions.
 * @param time how long ago the oldest of them was stored; zero when there is none
 */
public record ProjectorLag(long events, Duration time) {

	/** Nothing is left to do. */
	public static final ProjectorLag NONE = new ProjectorLag(0, Duration.ZERO);

}
