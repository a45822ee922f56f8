package dev.eventing.samples.orders.check;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.eventing.samples.orders.order.Folded;
import dev.eventing.samples.orders.order.OrderGenerator;
import dev.eventing.samples.orders.projection.ItemSales;
import dev.eventing.samples.orders.projection.OrderSummary;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ComparisonTests {

	private static final int ORDERS = 100;

	private final ExpectedReadModels expected = new ExpectedReadModels();

	private final List<OrderSummary> orderSummaries = new ArrayList<>();

	private final List<ItemSales> itemSales = new ArrayList<>();

	@BeforeEach
	void fill() {
		OrderGenerator generator = new OrderGenerator(4);
		IntStream.rangeClosed(1, ORDERS)
			.mapToObj(generator::order)
			.flatMap((script) -> Folded.events(script).stream())
			.forEach(this.expected::apply);
		this.orderSummaries.addAll(this.expected.orderSummaries());
		this.itemSales.addAll(this.expected.itemSales());
	}

	@Test
	void findsEqualRowsEqual() {
		Comparison comparison = reconcile();
		assertThat(comparison.isEqual()).isTrue();
		assertThat(comparison.orderSummaries()).isEqualTo(ORDERS - 1); // the poison
																		// order
		assertThat(comparison.itemSales()).isEqualTo(this.itemSales.size()).isPositive();
		assertThat(comparison).hasToString("comparison: 99 rows of order_summary and " + this.itemSales.size()
				+ " rows of order_item_sales_daily equal, 0 differ");
	}

	@Test
	void reportsAnOrderWhoseTotalIsACentOff() {
		OrderSummary row = this.orderSummaries.get(0);
		this.orderSummaries.set(0,
				new OrderSummary(row.tenantId(), row.orderId(), row.customerId(), row.status(), row.currency(),
						row.totalAmount().add(new BigDecimal("0.01")), row.itemCount(), row.submittedAt(), row.paidAt(),
						row.shippedAt(), row.updatedAt(), row.createdAt()));
		assertThat(reconcile().differences()).singleElement()
			.asString()
			.startsWith("order_summary has ")
			.contains(row.toString());
	}

	@Test
	void reportsAnOrderOfTheWrongTenant() {
		OrderSummary row = this.orderSummaries.get(0);
		this.orderSummaries.set(0,
				new OrderSummary("umbrella", row.orderId(), row.customerId(), row.status(), row.currency(),
						row.totalAmount(), row.itemCount(), row.submittedAt(), row.paidAt(), row.shippedAt(),
						row.updatedAt(), row.createdAt()));
		assertThat(reconcile().differences()).hasSize(2);
	}

	@Test
	void reportsSalesCountedTwice() {
		ItemSales row = this.itemSales.get(0);
		this.itemSales.set(0, new ItemSales(row.tenantId(), row.day(), row.sku(), row.currency(), 2 * row.quantity(),
				row.grossAmount().add(row.grossAmount())));
		assertThat(reconcile().differences()).singleElement().asString().startsWith("order_item_sales_daily has ");
	}

	@Test
	void reportsAMissingRow() {
		OrderSummary row = this.orderSummaries.remove(0);
		assertThat(reconcile().differences()).containsExactly("order_summary lacks " + row);
	}

	@Test
	void reportsARowTooMany() {
		ItemSales row = new ItemSales("acme", this.itemSales.get(0).day(), "SKU-NONE", "EUR", 1, BigDecimal.ONE);
		this.itemSales.add(row);
		assertThat(reconcile().differences())
			.containsExactly("order_item_sales_daily has a row that no event explains: " + row);
	}

	private Comparison reconcile() {
		return Comparison.of(this.expected, this.orderSummaries, this.itemSales);
	}

}
