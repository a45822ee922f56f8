package dev.eventing.samples.orders.check;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Objects;

import dev.eventing.samples.orders.event.ItemAdded;
import dev.eventing.samples.orders.event.ItemRemoved;
import dev.eventing.samples.orders.event.OrderCancelled;
import dev.eventing.samples.orders.event.OrderCreated;
import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.samples.orders.event.OrderShipped;
import dev.eventing.samples.orders.event.OrderSubmitted;
import dev.eventing.samples.orders.event.PaymentAuthorized;
import dev.eventing.samples.orders.projection.OrderSummary;
import org.jspecify.annotations.Nullable;

/** An order folded from its events. */
final class ExpectedOrder {

	private final String tenantId;

	private final OrderCreated created;

	private String status = "CREATED";

	private BigDecimal total = new BigDecimal("0.00");

	private int itemCount;

	private @Nullable Instant submittedAt;

	private @Nullable Instant paidAt;

	private @Nullable Instant shippedAt;

	private @Nullable Instant updatedAt;

	private @Nullable Instant createdAt;

	ExpectedOrder(String tenantId, OrderCreated created) {
		this.tenantId = tenantId;
		this.created = created;
	}

	void apply(OrderEvent event, Instant time) {
		this.updatedAt = time;
		if (event instanceof OrderCreated) {
			this.createdAt = time;
		}
		else if (event instanceof ItemAdded added) {
			add(added.quantity(), added.unitPrice());
		}
		else if (event instanceof ItemRemoved removed) {
			add(-removed.quantity(), removed.unitPrice());
		}
		else if (event instanceof OrderSubmitted) {
			this.status = "SUBMITTED";
			this.submittedAt = time;
		}
		else if (event instanceof PaymentAuthorized) {
			this.status = "PAID";
			this.paidAt = time;
		}
		else if (event instanceof OrderShipped) {
			this.status = "SHIPPED";
			this.shippedAt = time;
		}
		else if (event instanceof OrderCancelled) {
			this.status = "CANCELLED";
		}
	}

	private void add(int quantity, BigDecimal unitPrice) {
		this.itemCount += quantity;
		this.total = this.total.add(unitPrice.multiply(BigDecimal.valueOf(quantity)));
	}

	OrderSummary row() {
		return new OrderSummary(this.tenantId, this.created.orderId(), this.created.customerId(), this.status,
				this.created.currency(), this.total, this.itemCount, this.submittedAt, this.paidAt, this.shippedAt,
				Objects.requireNonNull(this.updatedAt, "no event was applied"), this.createdAt);
	}

}
