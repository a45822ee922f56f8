package dev.eventing.samples.orders.event;

/** A fact in the life of an order. */
public sealed interface OrderEvent
		permits OrderCreated, ItemAdded, ItemRemoved, OrderSubmitted, PaymentAuthorized, OrderCancelled, OrderShipped {

	/** The order's number, unique within its tenant; also the id of its event stream. */
	String orderId();

}
