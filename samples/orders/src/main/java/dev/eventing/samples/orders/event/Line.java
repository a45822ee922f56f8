package dev.eventing.samples.orders.event;

import java.math.BigDecimal;

/** A quantity of one item at one price. */
public record Line(String sku, int quantity, BigDecimal unitPrice) {

	public BigDecimal amount() {
		return this.unitPrice.multiply(BigDecimal.valueOf(this.quantity));
	}

}
