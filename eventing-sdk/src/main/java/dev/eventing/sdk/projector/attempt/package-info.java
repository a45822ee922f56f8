/**
 * How a batch is attempted: cut after a failure, repeated after a transient one, alone if
 * a process may have died from it.
 */
@NullMarked
package dev.eventing.sdk.projector.attempt;

import org.jspecify.annotations.NullMarked;
