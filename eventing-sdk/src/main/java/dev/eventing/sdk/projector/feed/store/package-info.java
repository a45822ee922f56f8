/**
 * The feed that reads the event store after a checkpoint.
 */
@NullMarked
package dev.eventing.sdk.projector.feed.store;

import org.jspecify.annotations.NullMarked;
