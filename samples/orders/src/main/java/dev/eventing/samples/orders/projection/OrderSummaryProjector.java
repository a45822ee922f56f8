package dev.eventing.samples.orders.projection;

import java.time.ZoneOffset;

import dev.eventing.samples.orders.event.ItemAdded;
import dev.eventing.samples.orders.event.ItemRemoved;
import dev.eventing.samples.orders.event.Line;
import dev.eventing.samples.orders.event.OrderCancelled;
import dev.eventing.samples.orders.event.OrderCreated;
import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.samples.orders.event.OrderShipped;
import dev.eventing.samples.orders.event.OrderSubmitted;
import dev.eventing.samples.orders.event.PaymentAuthorized;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;

import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Keeps one row per order for the people who answer customers. All handlers share one
 * durable consumer and see the events of an order in the order they happened.
 *
 * <p>
 * Nothing here looks for duplicates: the SDK runs each event's handler once, in the
 * transaction that also remembers the event. Nor does anything look for the order's row:
 * where {@code OrderCreated} could not be applied, the later events of that order are
 * parked behind it and come here in their order when it is redriven.
 *
 * <p>
 * With the profile "rebuild" its two versions are separate classes.
 */
@Profile("!rebuild")
@Component
@Projector(value = OrderSummaryProjector.NAME, tables = "order_summary")
public class OrderSummaryProjector {

	/** The projector's name. */
	public static final String NAME = "order-summary";

	private final JdbcClient jdbc;

	OrderSummaryProjector(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@ProjectorEventHandler(subject = "{tenant}.order.created")
	void created(Event<OrderCreated> event) {
		// The table's CHECK says which currencies there are. An order in another one is
		// refused at each attempt and becomes a dead letter.
		this.jdbc.sql("""
				insert into order_summary (tenant_id, order_id, customer_id, status, currency, total_amount, item_count,
				                           updated_at, created_at)
				values (:tenant, :order, :customer, 'CREATED', :currency, 0, 0, :time, :time)
				""")
			.param("tenant", event.tenantId().value())
			.param("order", event.payload().orderId())
			.param("customer", event.payload().customerId())
			.param("currency", event.payload().currency())
			.param("time", event.time().atOffset(ZoneOffset.UTC))
			.update();
	}

	@ProjectorEventHandler(subject = "{tenant}.order.item-added")
	void itemAdded(Event<ItemAdded> event) {
		ItemAdded added = event.payload();
		addToTotal(event, new Line(added.sku(), added.quantity(), added.unitPrice()));
	}

	@ProjectorEventHandler(subject = "{tenant}.order.item-removed")
	void itemRemoved(Event<ItemRemoved> event) {
		ItemRemoved removed = event.payload();
		addToTotal(event, new Line(removed.sku(), -removed.quantity(), removed.unitPrice()));
	}

	@ProjectorEventHandler(subject = "{tenant}.order.submitted")
	void submitted(Event<OrderSubmitted> event) {
		change(event, "status = 'SUBMITTED', submitted_at = :time").update();
	}

	@ProjectorEventHandler(subject = "{tenant}.order.payment-authorized")
	void paymentAuthorized(Event<PaymentAuthorized> event) {
		change(event, "status = 'PAID', paid_at = :time").update();
	}

	@ProjectorEventHandler(subject = "{tenant}.order.shipped")
	void shipped(Event<OrderShipped> event) {
		change(event, "status = 'SHIPPED', shipped_at = :time").update();
	}

	@ProjectorEventHandler(subject = "{tenant}.order.cancelled")
	void cancelled(Event<OrderCancelled> event) {
		change(event, "status = 'CANCELLED'").update();
	}

	private void addToTotal(Event<? extends OrderEvent> event, Line line) {
		change(event, "item_count = item_count + :quantity, total_amount = total_amount + :amount")
			.param("quantity", line.quantity())
			.param("amount", line.amount())
			.update();
	}

	/** A change of the order's row; the tenant is part of its key. */
	private JdbcClient.StatementSpec change(Event<? extends OrderEvent> event, String changes) {
		return this.jdbc
			.sql("update order_summary set " + changes
					+ ", updated_at = :time where tenant_id = :tenant and order_id = :order")
			.param("time", event.time().atOffset(ZoneOffset.UTC))
			.param("tenant", event.tenantId().value())
			.param("order", event.payload().orderId());
	}

}
