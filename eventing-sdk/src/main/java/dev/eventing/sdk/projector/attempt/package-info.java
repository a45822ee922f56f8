/**
 * Attempts to apply a batch. Cuts it into parts after a failure, and repeats it while the
 * database is unreachable. {@code projector.suspect} decides which events a process may
 * have died from, and how they run. The lanes decide whether a failed event is retried.
 */
@NullMarked
package dev.eventing.sdk.projector.attempt;

import org.jspecify.annotations.NullMarked;
