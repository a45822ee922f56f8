package dev.eventing.samples.orders.projection;

import java.util.Map;
import java.util.UUID;

import dev.eventing.samples.orders.event.Line;
import dev.eventing.samples.orders.event.OrderShipped;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.ReadModelWriter;

import org.springframework.stereotype.Component;

/**
 * Counts what was sold, by day. An item counts as sold when it is shipped, because an
 * order may be cancelled until then. Adding up is not idempotent by itself: an event
 * applied twice would be sales that never were. The SDK sees to it that this cannot
 * happen.
 *
 * <p>
 * Orders of one day add to the same few rows, on both lanes. The writer adds up what a
 * whole batch adds to a row, and changes the rows in one order.
 */
@Component
public class OrderItemSalesDailyProjector {

	/** The projector's name. */
	public static final String NAME = "order-item-sales-daily";

	@ProjectorEventHandler(projectorName = NAME, subject = "{tenant}.order.shipped")
	void shipped(OrderShipped shipped, UUID eventId, String tenantId, ReadModelWriter writer) {
		for (Line line : shipped.lines()) {
			writer.add(
					"order_item_sales_daily", Map.of("tenant_id", tenantId, "day", shipped.shippedOn(), "sku",
							line.sku(), "currency", shipped.currency()),
					Map.of("qty_sold", line.quantity(), "gross_amount", line.amount()));
		}
	}

}
