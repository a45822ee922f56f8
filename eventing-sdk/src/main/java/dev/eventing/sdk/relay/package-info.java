/**
 * Relays publish the committed events of the event store to JetStream: every event, in
 * the order of positions, and at most one unacknowledged event per stream.
 */
@NullMarked
package dev.eventing.sdk.relay;

import org.jspecify.annotations.NullMarked;
