package dev.eventing.samples.orders.event;

import java.math.BigDecimal;

import dev.eventing.sdk.event.EventType;

/** A quantity of an item was taken out again, at the price it was put in for. */
@EventType("order.item-removed")
public record ItemRemoved(String orderId, String sku, int quantity, BigDecimal unitPrice) implements OrderEvent {
}
