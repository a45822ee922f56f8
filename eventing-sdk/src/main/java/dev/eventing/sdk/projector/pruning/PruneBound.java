package dev.eventing.sdk.projector.pruning;

import java.time.Instant;

import dev.eventing.sdk.event.ProjectorId;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a projector in {@code processed_events} are no longer needed by any
 * delivery.
 *
 * @param projector the projector
 * @param stream the stream it reads, or null for the event store
 * @param settledBefore all events stored before this time are settled, or no longer in
 * the stream
 */
record PruneBound(ProjectorId projector, @Nullable String stream, Instant settledBefore) {
}
