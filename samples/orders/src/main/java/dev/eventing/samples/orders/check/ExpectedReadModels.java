package dev.eventing.samples.orders.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.samples.orders.event.Line;
import dev.eventing.samples.orders.event.OrderCreated;
import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.samples.orders.event.OrderShipped;
import dev.eventing.samples.orders.projection.ItemSales;
import dev.eventing.samples.orders.projection.OrderSummary;
import dev.eventing.sdk.event.Event;

/**
 * The read models once more, in plain Java: what the tables must hold when every event
 * was applied once and an order's events in their order. Shares no code with the
 * projectors, or both could be wrong together. Not thread-safe.
 */
public final class ExpectedReadModels {

	private static final Set<String> CURRENCIES = Set.of("EUR", "USD", "GBP");

	private final Map<OrderSummary.Key, ExpectedOrder> orders = new HashMap<>();

	private final Map<ItemSales.Key, ItemSales> itemSales = new HashMap<>();

	/** Applies an event. An order's events come in their order, each once. */
	public void apply(Event<OrderEvent> event) {
		String tenantId = event.tenantId().value();
		OrderSummary.Key key = new OrderSummary.Key(tenantId, event.payload().orderId());
		if (event.payload() instanceof OrderCreated created && CURRENCIES.contains(created.currency())) {
			this.orders.put(key, new ExpectedOrder(tenantId, created));
		}
		// The events of an order that could not be created wait behind that dead letter.
		ExpectedOrder order = this.orders.get(key);
		if (order != null) {
			order.apply(event.payload(), event.time());
		}
		// The other table takes any currency: a dead letter is that of one projector.
		if (event.payload() instanceof OrderShipped shipped) {
			shipped.lines().forEach((line) -> sell(tenantId, shipped, line));
		}
	}

	private void sell(String tenantId, OrderShipped shipped, Line line) {
		ItemSales sales = new ItemSales(tenantId, shipped.shippedOn(), line.sku(), shipped.currency(), line.quantity(),
				line.amount());
		this.itemSales.merge(sales.key(), sales, (old, more) -> new ItemSales(old.tenantId(), old.day(), old.sku(),
				old.currency(), old.quantity() + more.quantity(), old.grossAmount().add(more.grossAmount())));
	}

	/** The rows {@code order_summary} should have, in any order. */
	public List<OrderSummary> orderSummaries() {
		return this.orders.values().stream().map(ExpectedOrder::row).toList();
	}

	/** The rows {@code order_item_sales_daily} should have, in any order. */
	public List<ItemSales> itemSales() {
		return List.copyOf(this.itemSales.values());
	}

}
