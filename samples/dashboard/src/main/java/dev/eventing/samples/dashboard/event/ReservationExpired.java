package dev.eventing.samples.dashboard.event;

import dev.eventing.sdk.event.EventType;

/**
 * The time of a hold is over, and its units are free again.
 *
 * @param resource what is reserved
 * @param reservation the reservation's number
 * @param units how many of it
 */
@EventType("reservation.expired")
public record ReservationExpired(String resource, String reservation, int units) implements ReservationEvent {

}
