package dev.eventing.samples.orders.projection;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads what the projectors wrote. */
@Component
public class ReadModels {

	private final JdbcClient jdbc;

	ReadModels(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/** All rows of {@code order_summary}. */
	public List<OrderSummary> orderSummaries() {
		return this.jdbc.sql("select * from order_summary order by tenant_id, order_id")
			.query(ReadModels::toOrderSummary)
			.list();
	}

	/** All rows of {@code order_item_sales_daily}. */
	public List<ItemSales> itemSales() {
		return this.jdbc.sql("select * from order_item_sales_daily order by tenant_id, day, sku, currency")
			.query(ReadModels::toItemSales)
			.list();
	}

	private static OrderSummary toOrderSummary(ResultSet row, int number) throws SQLException {
		return new OrderSummary(row.getString("tenant_id"), row.getString("order_id"), row.getString("customer_id"),
				row.getString("status"), row.getString("currency"), row.getBigDecimal("total_amount"),
				row.getInt("item_count"), instant(row, "submitted_at"), instant(row, "paid_at"),
				instant(row, "shipped_at"), row.getObject("updated_at", OffsetDateTime.class).toInstant(),
				instant(row, "created_at"));
	}

	private static ItemSales toItemSales(ResultSet row, int number) throws SQLException {
		return new ItemSales(row.getString("tenant_id"), row.getObject("day", LocalDate.class), row.getString("sku"),
				row.getString("currency"), row.getLong("qty_sold"), row.getBigDecimal("gross_amount"));
	}

	private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
		OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

}
