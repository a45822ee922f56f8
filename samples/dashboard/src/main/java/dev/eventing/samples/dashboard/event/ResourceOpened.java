package dev.eventing.samples.dashboard.event;

import dev.eventing.sdk.event.EventType;

/**
 * Something can be reserved from now on.
 *
 * @param resource what can be reserved
 * @param title its name for people
 * @param units how many there are
 */
@EventType("resource.opened")
public record ResourceOpened(String resource, String title, int units) implements ReservationEvent {

}
