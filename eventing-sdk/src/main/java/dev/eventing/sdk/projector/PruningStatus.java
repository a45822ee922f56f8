package dev.eventing.sdk.projector;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What this node has pruned of one projector.
 *
 * @param projector its name
 * @param rows how many rows of {@code processed_events} it has deleted since it started
 * @param lastPass when its last pass over the table ended, or null: there was none yet,
 * as where another node does it
 */
public record PruningStatus(String projector, long rows, @Nullable Instant lastPass) {
}
