package dev.eventing.samples.orders.projection;

import java.util.UUID;

import dev.eventing.samples.orders.event.Line;
import dev.eventing.samples.orders.event.OrderShipped;
import dev.eventing.sdk.annotation.ProjectorEventHandler;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Counts what was sold, by day. An item counts as sold when it is shipped, because an
 * order may be cancelled until then. Adding up is not idempotent by itself: an event
 * applied twice would be sales that never were. The SDK sees to it that this cannot
 * happen.
 */
@Component
public class OrderItemSalesDailyProjector {

	/** The projector's name. */
	public static final String NAME = "order-item-sales-daily";

	private final JdbcClient jdbc;

	OrderItemSalesDailyProjector(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@ProjectorEventHandler(projectorName = NAME, subject = "{tenant}.order.shipped")
	void shipped(OrderShipped shipped, UUID eventId, String tenantId) {
		for (Line line : shipped.lines()) {
			this.jdbc.sql("""
					insert into order_item_sales_daily as daily (tenant_id, day, sku, currency, qty_sold, gross_amount)
					values (:tenant, :day, :sku, :currency, :quantity, :amount)
					on conflict (tenant_id, day, sku, currency) do update
					   set qty_sold = daily.qty_sold + excluded.qty_sold,
					       gross_amount = daily.gross_amount + excluded.gross_amount
					""")
				.param("tenant", tenantId)
				.param("day", shipped.shippedOn())
				.param("sku", line.sku())
				.param("currency", shipped.currency())
				.param("quantity", line.quantity())
				.param("amount", line.amount())
				.update();
		}
	}

}
