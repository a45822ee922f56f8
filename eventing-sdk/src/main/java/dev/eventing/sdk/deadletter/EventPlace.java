package dev.eventing.sdk.deadletter;

import java.time.Instant;

/**
 * The place of a letter's event.
 *
 * @param stream the JetStream stream of the event, or {@code event-store}
 * @param sequence its sequence in that stream, or its position in the event store
 * @param publishedAt when the stream or the event store stored it
 */
public record EventPlace(String stream, long sequence, Instant publishedAt) {
}
