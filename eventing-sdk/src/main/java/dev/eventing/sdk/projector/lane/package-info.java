/**
 * Lanes run the events of a projector, those of one key in order, and decide about
 * retries, dead letters and parking.
 */
@NullMarked
package dev.eventing.sdk.projector.lane;

import org.jspecify.annotations.NullMarked;
