/**
 * Deletes rows of {@code processed_events} that are no longer needed.
 */
@NullMarked
package dev.eventing.sdk.projector.pruning;

import org.jspecify.annotations.NullMarked;
