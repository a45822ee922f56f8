package dev.eventing.samples.orders.event;

import dev.eventing.sdk.event.EventType;

/** The customer wants what is in the order. */
@EventType("order.submitted")
public record OrderSubmitted(String orderId) implements OrderEvent {
}
