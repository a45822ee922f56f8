package dev.eventing.samples.orders.event;

import java.math.BigDecimal;

import dev.eventing.sdk.event.EventType;

/** So many of an item were taken out again, at the price they were put in for. */
@EventType("order.item-removed")
public record ItemRemoved(String orderId, String sku, int quantity, BigDecimal unitPrice) implements OrderEvent {
}
