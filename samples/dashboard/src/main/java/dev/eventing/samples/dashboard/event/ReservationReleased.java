package dev.eventing.samples.dashboard.event;

import dev.eventing.sdk.event.EventType;

/**
 * Units that were taken are free again.
 *
 * @param resource what is reserved
 * @param reservation the reservation's number
 * @param units how many of it
 */
@EventType("reservation.released")
public record ReservationReleased(String resource, String reservation, int units) implements ReservationEvent {

}
