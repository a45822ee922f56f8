package dev.eventing.samples.orders.rebuild;

import java.util.Locale;

/**
 * What readers of {@code order_summary} see.
 *
 * @param before the rows just before the reconciliation
 * @param rows the rows just after it
 * @param differences how many of them a reconciliation with the events finds wrong
 */
public record View(Rows before, Rows rows, long differences) {

	/** Whether readers see the column in each row, and all rows as the events say. */
	boolean isComplete() {
		return this.rows.all() > 0 && this.rows.empty() == 0 && this.differences == 0;
	}

	/**
	 * Whether readers see the column in no row, and the reconciliation finds just that.
	 * Orders may be placed meanwhile.
	 */
	boolean isOld() {
		return this.rows.all() > 0 && this.rows.empty() == this.rows.all() && this.differences >= this.before.empty()
				&& this.differences <= this.rows.empty();
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "readers see %s; the reconciliation finds %,d differences", this.rows,
				this.differences);
	}

}
