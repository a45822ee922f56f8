package dev.eventing.sdk.event;

import java.time.Instant;

/**
 * Where an event is stored: in a stream of JetStream, or in the event store.
 *
 * @param stream the name of its stream in JetStream, or {@link #EVENT_STORE}
 * @param sequence its sequence in that stream, or its position in the event store
 * @param storedAt when it was stored there, by the clock of the server or the database;
 * distinguishes it from another event with the same sequence in a recreated stream
 */
public record EventPlace(String stream, long sequence, Instant storedAt) {

	/** The name in place of a stream if the event was read from the event store. */
	public static final String EVENT_STORE = "event-store";

	@Override
	public String toString() {
		return this.stream + ":" + this.sequence;
	}

}
