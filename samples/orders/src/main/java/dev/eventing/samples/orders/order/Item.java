package dev.eventing.samples.orders.order;

import java.math.BigDecimal;

/** The items that the shops sell. */
enum Item {

	TEAPOT("29.90"), TEA("6.45"), CUP("8.50"), SAUCER("4.25"), SPOON("2.99"), STRAINER("5.70"), KETTLE("49.00"),
	HONEY("7.35");

	private final BigDecimal price;

	Item(String price) {
		this.price = new BigDecimal(price);
	}

	String sku() {
		return "SKU-" + name();
	}

	BigDecimal price() {
		return this.price;
	}

}
