package dev.eventing.samples.orders.event;

import java.math.BigDecimal;

import dev.eventing.sdk.event.EventType;

/** The order is paid. */
@EventType("order.payment-authorized")
public record PaymentAuthorized(String orderId, String paymentId, BigDecimal amount) implements OrderEvent {
}
