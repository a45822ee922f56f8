package dev.eventing.sdk.projector.delivery;

import java.time.Instant;

import dev.eventing.sdk.nats.Delivery;

/**
 * Where an event lies.
 *
 * @param stream the name of its stream in JetStream, or {@link #EVENT_STORE}
 * @param sequence its sequence in that stream, or its position in the event store
 * @param storedAt when it was stored there: tells it from another event under the same
 * sequence of a stream that was made anew
 */
public record Place(String stream, long sequence, Instant storedAt) {

	/** Stands for the name of a stream where an event was read from the event store. */
	public static final String EVENT_STORE = "event-store";

	public static Place of(Delivery.Position position) {
		return new Place(position.stream(), position.sequence(), position.storedAt());
	}

	@Override
	public String toString() {
		return this.stream + ":" + this.sequence;
	}

}
