/**
 * Reads the event store behind a checkpoint.
 */
@NullMarked
package dev.eventing.sdk.projector.feed.store;

import org.jspecify.annotations.NullMarked;
