package dev.eventing.sdk.projector.write;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

import dev.eventing.sdk.projector.InvalidAdditionException;
import org.jspecify.annotations.Nullable;

/**
 * A table for additions, and the key columns of its rows.
 *
 * @param table the table's name in SQL, with its schema
 * @param key the columns of a unique constraint, sorted by name
 * @param columns all columns of the table by name
 */
record AdditionTarget(String table, SortedSet<String> key, Map<String, Column> columns) {

	/**
	 * A column of a table.
	 *
	 * @param type the type to which a text is cast for the column, without a length, so
	 * that the cast does not cut the text
	 * @param number whether it is numeric
	 * @param scale the number of decimals that it stores, or null for no limit
	 * @param filled whether a new row without a value for it contains zero and not null
	 */
	record Column(String type, boolean number, @Nullable Integer scale, boolean filled) {
	}

	boolean hasColumns(Iterable<String> names) {
		for (String name : names) {
			if (!this.columns.containsKey(name)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns the delta as the column stores it. Each delta is rounded separately, as
	 * PostgreSQL rounds. A rounded sum would depend on which events share a batch.
	 * @throws InvalidAdditionException if the column does not exist or is not numeric
	 */
	BigDecimal kept(String name, BigDecimal delta) {
		Column column = column(name);
		if (!column.number) {
			throw new InvalidAdditionException("Column '" + name + "' of table " + this.table + " has type "
					+ column.type + ", which is not numeric. Consider a column of a numeric type.");
		}
		return (column.scale != null) ? delta.setScale(column.scale, RoundingMode.HALF_UP) : delta;
	}

	Column column(String name) {
		Column column = this.columns.get(name);
		if (column == null) {
			throw unknownColumn(name);
		}
		return column;
	}

	private InvalidAdditionException unknownColumn(String name) {
		return new InvalidAdditionException("Table " + this.table + " has no column '" + name + "', only "
				+ List.copyOf(this.columns.keySet()) + ". Consider one of these; names are converted to lower case.");
	}

	/** The sort key of the targets in a transaction. Every lane uses the same order. */
	String order() {
		return this.table + this.key;
	}

}
