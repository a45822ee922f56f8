package dev.eventing.samples.dashboard.event;

import dev.eventing.sdk.event.EventType;

/**
 * Who held the units has taken them.
 *
 * @param resource what is reserved
 * @param reservation the reservation's number
 * @param units how many of it
 */
@EventType("reservation.committed")
public record ReservationCommitted(String resource, String reservation, int units) implements ReservationEvent {

}
