/**
 * Relays publish the committed events of the event store to JetStream: every event, in
 * the order of positions, and at most one unacknowledged event per stream.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.relay;

import org.jspecify.annotations.NullMarked;
