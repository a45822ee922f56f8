package dev.eventing.sdk.deadletter;

import java.time.Instant;

/**
 * Where the event of a letter lies.
 *
 * @param stream the JetStream stream it came from
 * @param sequence its sequence in that stream
 * @param publishedAt when the stream took it in
 */
public record EventPlace(String stream, long sequence, Instant publishedAt) {
}
