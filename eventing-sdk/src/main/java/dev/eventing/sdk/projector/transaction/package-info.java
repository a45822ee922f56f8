/**
 * The transaction of handlers: it checks the lease, claims the events, runs the handlers,
 * and executes their queued writes.
 */
@NullMarked
package dev.eventing.sdk.projector.transaction;

import org.jspecify.annotations.NullMarked;
