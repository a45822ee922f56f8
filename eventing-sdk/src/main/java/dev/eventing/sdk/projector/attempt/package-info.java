/**
 * Attempts to apply a batch. Cuts it into parts after a failure, and repeats it while the
 * database is unreachable. Which events a process may have died from, and how they run,
 * {@code projector.suspect} decides; whether an event that failed is retried, the lanes.
 */
@NullMarked
package dev.eventing.sdk.projector.attempt;

import org.jspecify.annotations.NullMarked;
