/**
 * One attempt to apply a batch: cut into parts after a failure, repeated while the
 * database is unreachable, alone if a process may have died from an event.
 */
@NullMarked
package dev.eventing.sdk.projector.attempt;

import org.jspecify.annotations.NullMarked;
