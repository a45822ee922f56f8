package dev.eventing.samples.orders.rebuild;

import java.util.Locale;

/**
 * The rows of a table {@code order_summary}.
 *
 * @param all how many there are
 * @param empty how many have no {@code created_at}
 */
public record Rows(long all, long empty) {

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "%,d rows, %,d of them without created_at", this.all, this.empty);
	}

}
