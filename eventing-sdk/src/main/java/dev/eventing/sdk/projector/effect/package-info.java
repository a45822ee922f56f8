/**
 * The effects of handlers: events that they append to the event store, once for each
 * event over all generations.
 */
@NullMarked
package dev.eventing.sdk.projector.effect;

import org.jspecify.annotations.NullMarked;
