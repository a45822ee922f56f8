/**
 * Relays publish what is committed to the event store to JetStream: every event, in the
 * order of positions, and never two unacknowledged events of one stream at a time.
 */
@NullMarked
package dev.eventing.sdk.relay;

import org.jspecify.annotations.NullMarked;
