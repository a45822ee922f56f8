/**
 * Lanes run the events of a projector, those of one key in order, and retry an event that
 * failed or make it a dead letter. They park later events of the key of a dead letter.
 */
@NullMarked
package dev.eventing.sdk.projector.lane;

import org.jspecify.annotations.NullMarked;
