package dev.eventing.samples.orders.event;

import dev.eventing.sdk.event.EventType;

/** Nothing will come of the order. */
@EventType("order.cancelled")
public record OrderCancelled(String orderId, String reason) implements OrderEvent {
}
