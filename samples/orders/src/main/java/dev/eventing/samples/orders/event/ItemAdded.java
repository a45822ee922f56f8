package dev.eventing.samples.orders.event;

import java.math.BigDecimal;

import dev.eventing.sdk.event.EventType;

/** A quantity of an item was put into the order. */
@EventType("order.item-added")
public record ItemAdded(String orderId, String sku, int quantity, BigDecimal unitPrice) implements OrderEvent {
}
