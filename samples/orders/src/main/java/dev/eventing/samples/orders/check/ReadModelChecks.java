package dev.eventing.samples.orders.check;

import dev.eventing.samples.orders.projection.OrderItemSalesDailyProjector;
import dev.eventing.samples.orders.projection.OrderSummaryProjector;
import dev.eventing.sdk.projection.Reconciliation;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.stereotype.Component;

/**
 * What holds of the read models at any time, also while orders are placed: the first two
 * compare each row of a table with exactly those events that its projector has applied,
 * whether it reads JetStream or the event store.
 */
@Component
public class ReadModelChecks {

	/** Compares each row of {@code order_summary} with its events. */
	public static final String ORDER_SUMMARY = "order-summary";

	private static final String EVERY = "${orders.checks-every}";

	@Reconciliation(name = ORDER_SUMMARY, projector = OrderSummaryProjector.NAME, every = EVERY)
	Resource orderSummary() {
		return new ClassPathResource("reconciliation/order-summary.sql");
	}

	@Reconciliation(name = "order-item-sales-daily", projector = OrderItemSalesDailyProjector.NAME, every = EVERY)
	Resource itemSales() {
		return new ClassPathResource("reconciliation/order-item-sales-daily.sql");
	}

	@Reconciliation(name = "order-states", projector = OrderSummaryProjector.NAME, every = EVERY)
	String states() {
		return """
				select tenant_id, order_id, status, submitted_at, paid_at, shipped_at from order_summary
				 where status = 'SHIPPED' and (shipped_at is null or paid_at is null)
				    or paid_at is not null and submitted_at is null
				    or submitted_at > paid_at or paid_at > shipped_at""";
	}

}
