/**
 * What depends on where a projector reads its events from: JetStream, or the event store.
 * One object of each kind makes the feed, tells how far the projector is, and bounds what
 * may be pruned.
 */
@NullMarked
package dev.eventing.sdk.projector.source;

import org.jspecify.annotations.NullMarked;
