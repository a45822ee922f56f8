package dev.eventing.samples.quickstart;

import java.time.LocalDate;

import dev.eventing.sdk.event.EventType;

/** An order left the warehouse. */
@EventType("order.shipped")
public record OrderShipped(LocalDate day, String item, int quantity) {
}
