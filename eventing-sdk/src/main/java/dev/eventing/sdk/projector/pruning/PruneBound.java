package dev.eventing.sdk.projector.pruning;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Which rows of a projector in {@code processed_events} no delivery needs any more.
 *
 * @param projector its name
 * @param stream the stream it reads, or null: the event store
 * @param settledBefore whatever was stored before this is settled, or out of the stream
 */
record PruneBound(String projector, @Nullable String stream, Instant settledBefore) {
}
