/**
 * Reads JetStream: a durable consumer, or for a rebuild a whole stream by its sequences.
 */
@NullMarked
package dev.eventing.sdk.projector.feed.jetstream;

import org.jspecify.annotations.NullMarked;
