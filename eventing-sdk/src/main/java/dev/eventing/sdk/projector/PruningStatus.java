package dev.eventing.sdk.projector;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What this node has pruned for one projector.
 *
 * @param projector the projector's name
 * @param rows the number of rows of {@code processed_events} that this node has deleted
 * since it started
 * @param lastPass when its last pass over the table ended; null if there was none, for
 * example because another node prunes
 */
public record PruningStatus(String projector, long rows, @Nullable Instant lastPass) {
}
