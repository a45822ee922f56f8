package dev.eventing.samples.orders.rebuild;

import java.util.List;
import java.util.Locale;

/**
 * What two generations have in common, when both had applied the same events.
 *
 * @param position all events up to here were applied
 * @param rows how many orders the new generation has
 * @param different how many of them differ
 * @param sample the first of these, as JSON with the columns that differ
 */
public record Agreement(long position, long rows, long different, List<String> sample) {

	/** The column that version 1 does not fill. */
	private static final String NEW_COLUMN = "\"columns\": [\"created_at\"]";

	public Agreement {
		sample = List.copyOf(sample);
	}

	/**
	 * Whether each row differs, and in the new column alone, as far as the sample shows.
	 */
	boolean isInAllElse() {
		return this.rows > 0 && this.different == this.rows && inNewColumn() == this.sample.size();
	}

	private long inNewColumn() {
		return this.sample.stream().filter((row) -> row.contains(NEW_COLUMN)).count();
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT,
				"compared at position %,d: %,d of %,d orders differ, %d of the first %d in created_at alone",
				this.position, this.different, this.rows, inNewColumn(), this.sample.size());
	}

}
