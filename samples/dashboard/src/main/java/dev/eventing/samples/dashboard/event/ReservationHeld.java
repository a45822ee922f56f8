package dev.eventing.samples.dashboard.event;

import dev.eventing.sdk.event.EventType;

/**
 * Units are held for somebody who has not decided yet.
 *
 * @param resource what is reserved
 * @param reservation the reservation's number
 * @param units how many of it
 */
@EventType("reservation.held")
public record ReservationHeld(String resource, String reservation, int units) implements ReservationEvent {

}
