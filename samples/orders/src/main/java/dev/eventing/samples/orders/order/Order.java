package dev.eventing.samples.orders.order;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.eventing.samples.orders.event.ItemAdded;
import dev.eventing.samples.orders.event.ItemRemoved;
import dev.eventing.samples.orders.event.Line;
import dev.eventing.samples.orders.event.OrderCancelled;
import dev.eventing.samples.orders.event.OrderCreated;
import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.samples.orders.event.OrderShipped;
import dev.eventing.samples.orders.event.OrderSubmitted;
import dev.eventing.samples.orders.event.PaymentAuthorized;

/**
 * An order as its events leave it, and the rules of its life: created, then filled,
 * submitted, paid and shipped, each once and in this order; cancelled at any time before
 * it is shipped. What a method decides is an event that has not happened yet;
 * {@link #apply} tells what the order is once it has. Immutable, so that it can be a
 * snapshot.
 */
public record Order(String orderId, Status status, String currency, SortedMap<String, Line> lines) {

	/** Where an order is in its life. */
	public enum Status {

		NEW, CREATED, SUBMITTED, PAID, SHIPPED, CANCELLED

	}

	public Order {
		lines = Collections.unmodifiableSortedMap(new TreeMap<>(lines));
	}

	/** An order to which nothing has happened. */
	public static Order unheardOf(String orderId) {
		return new Order(orderId, Status.NEW, "", new TreeMap<>());
	}

	/** The order after this event. Refuses nothing: it has happened. */
	public Order apply(OrderEvent event) {
		if (event instanceof OrderCreated created) {
			return new Order(this.orderId, Status.CREATED, created.currency(), this.lines);
		}
		if (event instanceof ItemAdded added) {
			return with(added.sku(), added.quantity(), added.unitPrice());
		}
		if (event instanceof ItemRemoved removed) {
			return with(removed.sku(), -removed.quantity(), removed.unitPrice());
		}
		return new Order(this.orderId, statusAfter(event), this.currency, this.lines);
	}

	private Status statusAfter(OrderEvent event) {
		if (event instanceof OrderSubmitted) {
			return Status.SUBMITTED;
		}
		if (event instanceof PaymentAuthorized) {
			return Status.PAID;
		}
		if (event instanceof OrderShipped) {
			return Status.SHIPPED;
		}
		return (event instanceof OrderCancelled) ? Status.CANCELLED : this.status;
	}

	private Order with(String sku, int quantity, BigDecimal unitPrice) {
		SortedMap<String, Line> changed = new TreeMap<>(this.lines);
		changed.merge(sku, new Line(sku, quantity, unitPrice),
				(old, more) -> new Line(sku, old.quantity() + more.quantity(), old.unitPrice()));
		changed.values().removeIf((line) -> line.quantity() <= 0);
		return new Order(this.orderId, this.status, this.currency, changed);
	}

	/**
	 * A customer opens the order.
	 * @throws OrderRefusedException if there is one already
	 */
	public OrderEvent create(String customerId, String currency) {
		require("created", Status.NEW);
		return new OrderCreated(this.orderId, customerId, currency);
	}

	/**
	 * Puts a quantity of an item in. An item that is already in keeps its price.
	 * @throws OrderRefusedException if the order is not open
	 */
	public OrderEvent addItem(String sku, int quantity, BigDecimal unitPrice) {
		require("filled", Status.CREATED);
		Line line = this.lines.get(sku);
		return new ItemAdded(this.orderId, sku, quantity, (line != null) ? line.unitPrice() : unitPrice);
	}

	/**
	 * Takes a quantity of an item out.
	 * @throws OrderRefusedException if the order is not open or holds fewer
	 */
	public OrderEvent removeItem(String sku, int quantity) {
		require("emptied", Status.CREATED);
		Line line = this.lines.get(sku);
		if (line == null || line.quantity() < quantity) {
			throw new OrderRefusedException("Order " + this.orderId + " does not hold " + quantity + " of " + sku);
		}
		return new ItemRemoved(this.orderId, sku, quantity, line.unitPrice());
	}

	/**
	 * The customer wants what is in it.
	 * @throws OrderRefusedException if it is not open, or empty
	 */
	public OrderEvent submit() {
		require("submitted", Status.CREATED);
		if (this.lines.isEmpty()) {
			throw new OrderRefusedException("Order " + this.orderId + " is empty and cannot be submitted");
		}
		return new OrderSubmitted(this.orderId);
	}

	/**
	 * The whole of it is paid.
	 * @throws OrderRefusedException if it is not submitted, or paid already
	 */
	public OrderEvent authorizePayment(String paymentId) {
		require("paid", Status.SUBMITTED);
		BigDecimal total = this.lines.values().stream().map(Line::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
		return new PaymentAuthorized(this.orderId, paymentId, total);
	}

	/**
	 * It leaves the warehouse.
	 * @throws OrderRefusedException if it is not paid, or shipped already
	 */
	public OrderEvent ship(String shipmentId, String carrier, LocalDate shippedOn) {
		require("shipped", Status.PAID);
		return new OrderShipped(this.orderId, shipmentId, carrier, shippedOn, this.currency,
				List.copyOf(this.lines.values()));
	}

	/**
	 * Nothing will come of it.
	 * @throws OrderRefusedException if it is shipped or cancelled already
	 */
	public OrderEvent cancel(String reason) {
		require("cancelled", Status.CREATED, Status.SUBMITTED, Status.PAID);
		return new OrderCancelled(this.orderId, reason);
	}

	private void require(String change, Status... allowed) {
		if (!List.of(allowed).contains(this.status)) {
			throw new OrderRefusedException(
					"Order " + this.orderId + " is " + this.status + " and cannot be " + change);
		}
	}

}
