/**
 * Attempts to apply a batch. Cuts it into parts after a failure, repeats it while the
 * database is unreachable, and runs an event alone if a process may have died from it.
 * Whether an event that failed is retried, the lanes decide.
 */
@NullMarked
package dev.eventing.sdk.projector.attempt;

import org.jspecify.annotations.NullMarked;
