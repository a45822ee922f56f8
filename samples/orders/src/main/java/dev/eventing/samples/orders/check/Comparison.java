package dev.eventing.samples.orders.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.eventing.samples.orders.projection.ItemSales;
import dev.eventing.samples.orders.projection.OrderSummary;

/**
 * Compares the read models with what they should be, row by row.
 *
 * @param orderSummaries how many rows of {@code order_summary} are equal
 * @param itemSales how many rows of {@code order_item_sales_daily} are equal
 * @param differences each row that is missing, too many or different, in words
 */
public record Comparison(int orderSummaries, int itemSales, List<String> differences) {

	public Comparison {
		differences = List.copyOf(differences);
	}

	/** Compares both tables' rows with the expected ones. */
	public static Comparison of(ExpectedReadModels expected, List<OrderSummary> orderSummaries,
			List<ItemSales> itemSales) {
		List<String> differences = new ArrayList<>();
		int equalSummaries = compare("order_summary", expected.orderSummaries(), orderSummaries, OrderSummary::key,
				differences);
		int equalSales = compare("order_item_sales_daily", expected.itemSales(), itemSales, ItemSales::key,
				differences);
		return new Comparison(equalSummaries, equalSales, differences);
	}

	private static <R, K> int compare(String table, Collection<R> expected, Collection<R> actual, Function<R, K> key,
			List<String> differences) {
		Map<K, R> missing = expected.stream().collect(Collectors.toMap(key, Function.identity()));
		int equal = 0;
		for (R row : actual) {
			R wanted = missing.remove(key.apply(row));
			if (row.equals(wanted)) {
				equal++;
			}
			else if (wanted == null) {
				differences.add(table + " has a row that no event explains: " + row);
			}
			else {
				differences.add(table + " has " + row + " instead of " + wanted);
			}
		}
		missing.values().forEach((row) -> differences.add(table + " lacks " + row));
		return equal;
	}

	/** Whether every row is as it should be. */
	public boolean isEqual() {
		return this.differences.isEmpty();
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT,
				"comparison: %,d rows of order_summary and %,d rows of order_item_sales_daily equal, %,d differ",
				this.orderSummaries, this.itemSales, this.differences.size());
	}

}
