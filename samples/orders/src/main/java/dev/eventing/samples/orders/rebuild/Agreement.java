package dev.eventing.samples.orders.rebuild;

import java.util.Locale;

/**
 * What two generations have in common.
 *
 * @param position up to here both have applied all events
 * @param equal how many orders are equal in all columns but the new one
 * @param different how many are not, or are missing in one of them
 */
public record Agreement(long position, long equal, long different) {

	/** Whether there is something to compare, and all of it is equal. */
	boolean isEqual() {
		return this.equal > 0 && this.different == 0;
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT,
				"compared at position %,d: %,d orders are equal in all columns but the new one, %,d differ",
				this.position, this.equal, this.different);
	}

}
