package dev.eventing.samples.orders.event;

import dev.eventing.sdk.event.EventType;

/** A customer opened an order; all its amounts are in this currency. */
@EventType("order.created")
public record OrderCreated(String orderId, String customerId, String currency) implements OrderEvent {
}
