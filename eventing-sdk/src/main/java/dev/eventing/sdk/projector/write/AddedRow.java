package dev.eventing.sdk.projector.write;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * The additions to one row.
 *
 * @param key the values of its key, sorted by column name
 * @param sums the sum for each column that has an addition
 */
record AddedRow(List<String> key, Map<String, BigDecimal> sums) {

	void add(Map<String, BigDecimal> deltas) {
		deltas.forEach((column, delta) -> this.sums.merge(column, delta, BigDecimal::add));
	}

}
