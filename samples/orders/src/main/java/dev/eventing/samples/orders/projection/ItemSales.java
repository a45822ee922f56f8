package dev.eventing.samples.orders.projection;

import java.math.BigDecimal;
import java.time.LocalDate;

/** A row of {@code order_item_sales_daily}. */
public record ItemSales(String tenantId, LocalDate day, String sku, String currency, long quantity,
		BigDecimal grossAmount) {

	/** The table's primary key. */
	public record Key(String tenantId, LocalDate day, String sku, String currency) {
	}

	public Key key() {
		return new Key(this.tenantId, this.day, this.sku, this.currency);
	}

}
