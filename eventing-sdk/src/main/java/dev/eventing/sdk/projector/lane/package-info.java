/**
 * Lanes run the events of a projector, those of one key in order. They decide whether an
 * event that failed is retried later or becomes a dead letter, and park the events of its
 * key that follow.
 */
@NullMarked
package dev.eventing.sdk.projector.lane;

import org.jspecify.annotations.NullMarked;
