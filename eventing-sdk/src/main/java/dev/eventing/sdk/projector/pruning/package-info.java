/**
 * Deletes rows of {@code processed_events} that are needed no longer.
 */
@NullMarked
package dev.eventing.sdk.projector.pruning;

import org.jspecify.annotations.NullMarked;
