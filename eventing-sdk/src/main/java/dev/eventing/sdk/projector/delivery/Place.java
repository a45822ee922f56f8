package dev.eventing.sdk.projector.delivery;

import java.time.Instant;

import dev.eventing.sdk.nats.Delivery;

/**
 * The place of an event.
 *
 * @param stream the name of its stream in JetStream, or {@link #EVENT_STORE}
 * @param sequence its sequence in that stream, or its position in the event store
 * @param storedAt when it was stored there; distinguishes it from another event with the
 * same sequence in a recreated stream
 */
public record Place(String stream, long sequence, Instant storedAt) {

	/** The name in place of a stream if the event was read from the event store. */
	public static final String EVENT_STORE = "event-store";

	public static Place of(Delivery.Position position) {
		return new Place(position.stream(), position.sequence(), position.storedAt());
	}

	@Override
	public String toString() {
		return this.stream + ":" + this.sequence;
	}

}
