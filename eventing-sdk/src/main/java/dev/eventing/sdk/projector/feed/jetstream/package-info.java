/**
 * Reads a durable consumer of JetStream.
 */
@NullMarked
package dev.eventing.sdk.projector.feed.jetstream;

import org.jspecify.annotations.NullMarked;
