package dev.eventing.samples.orders.order;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import dev.eventing.samples.orders.event.ItemAdded;
import dev.eventing.samples.orders.event.ItemRemoved;
import dev.eventing.samples.orders.event.Line;
import dev.eventing.samples.orders.event.OrderCancelled;
import dev.eventing.samples.orders.event.OrderCreated;
import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.samples.orders.event.OrderShipped;
import dev.eventing.samples.orders.event.OrderSubmitted;
import dev.eventing.samples.orders.event.PaymentAuthorized;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;

/**
 * An order and the rules of its life: created, then filled, submitted, paid and shipped,
 * each once and in this order; cancelled at any time before it is shipped. Every method
 * either adds one event or throws {@link IllegalStateException}. Not thread-safe.
 */
public final class Order {

	private enum Status {

		NEW, CREATED, SUBMITTED, PAID, SHIPPED, CANCELLED

	}

	private final TenantId tenantId;

	private final String orderId;

	private final List<Event<OrderEvent>> events = new ArrayList<>();

	private final Map<String, Line> lines = new TreeMap<>();

	private Status status = Status.NEW;

	private String currency = "";

	public Order(TenantId tenantId, String orderId) {
		this.tenantId = tenantId;
		this.orderId = orderId;
	}

	public void create(Instant at, String customerId, String currency) {
		require("created", Status.NEW);
		this.status = Status.CREATED;
		this.currency = currency;
		happened(at, new OrderCreated(this.orderId, customerId, currency));
	}

	public void addItem(Instant at, String sku, int quantity, BigDecimal unitPrice) {
		require("filled", Status.CREATED);
		this.lines.merge(sku, new Line(sku, quantity, unitPrice),
				(old, more) -> new Line(sku, old.quantity() + more.quantity(), old.unitPrice()));
		happened(at, new ItemAdded(this.orderId, sku, quantity, price(sku)));
	}

	public void removeItem(Instant at, String sku, int quantity) {
		require("emptied", Status.CREATED);
		Line line = this.lines.get(sku);
		if (line == null || line.quantity() < quantity) {
			throw new IllegalStateException("Order " + this.orderId + " does not hold " + quantity + " of " + sku);
		}
		happened(at, new ItemRemoved(this.orderId, sku, quantity, line.unitPrice()));
		int left = line.quantity() - quantity;
		this.lines.computeIfPresent(sku, (key, old) -> (left > 0) ? new Line(sku, left, old.unitPrice()) : null);
	}

	public void submit(Instant at) {
		require("submitted", Status.CREATED);
		if (this.lines.isEmpty()) {
			throw new IllegalStateException("Order " + this.orderId + " is empty and cannot be submitted");
		}
		this.status = Status.SUBMITTED;
		happened(at, new OrderSubmitted(this.orderId));
	}

	public void authorizePayment(Instant at, String paymentId) {
		require("paid", Status.SUBMITTED);
		this.status = Status.PAID;
		happened(at, new PaymentAuthorized(this.orderId, paymentId, total()));
	}

	public void ship(Instant at, String shipmentId, String carrier, LocalDate shippedOn) {
		require("shipped", Status.PAID);
		this.status = Status.SHIPPED;
		happened(at, new OrderShipped(this.orderId, shipmentId, carrier, shippedOn, this.currency, lines()));
	}

	public void cancel(Instant at, String reason) {
		require("cancelled", Status.CREATED, Status.SUBMITTED, Status.PAID);
		this.status = Status.CANCELLED;
		happened(at, new OrderCancelled(this.orderId, reason));
	}

	/** What happened to the order so far, oldest first. */
	public List<Event<OrderEvent>> events() {
		return List.copyOf(this.events);
	}

	/** What the order holds now. */
	public List<Line> lines() {
		return List.copyOf(this.lines.values());
	}

	private BigDecimal price(String sku) {
		Line line = this.lines.get(sku);
		return (line != null) ? line.unitPrice() : BigDecimal.ZERO;
	}

	private BigDecimal total() {
		return this.lines.values().stream().map(Line::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
	}

	private void require(String change, Status... allowed) {
		if (!List.of(allowed).contains(this.status)) {
			throw new IllegalStateException(
					"Order " + this.orderId + " is " + this.status + " and cannot be " + change);
		}
	}

	/**
	 * The envelope: the order is the event's stream, so that its events reach a projector
	 * in the order they happened, whatever else is under way.
	 */
	private void happened(Instant at, OrderEvent payload) {
		long version = this.events.size() + 1L;
		String causation = this.events.isEmpty() ? null : this.events.get(this.events.size() - 1).id().toString();
		this.events.add(Event.builder(this.tenantId, payload)
			.id(id("event " + version))
			.source("samples/orders")
			.time(at)
			.streamId(this.orderId)
			.streamVersion(version)
			.correlationId(id("order").toString())
			.causationId(causation)
			.build());
	}

	/** The same order gets the same ids again, so that a run can be repeated. */
	private UUID id(String what) {
		String name = this.tenantId + "/" + this.orderId + "/" + what;
		return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
	}

}
