/**
 * The transaction of handlers. It checks that this node still holds the lease, claims the
 * events by inserting their ids into {@code processed_events}, runs the handlers, and
 * executes their queued writes; all of it commits together. Steps run at its begin and
 * before its commit; one of them, {@code GenerationBoundary} of
 * {@code projector.rebuild}, checks what handlers of a generation beside the live one
 * have written.
 */
@NullMarked
package dev.eventing.sdk.projector.transaction;

import org.jspecify.annotations.NullMarked;
