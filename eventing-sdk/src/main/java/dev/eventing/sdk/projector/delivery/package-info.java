/**
 * An event on its way through a projector: where it came from, what it holds, and what is
 * held at once.
 */
@NullMarked
package dev.eventing.sdk.projector.delivery;

import org.jspecify.annotations.NullMarked;
