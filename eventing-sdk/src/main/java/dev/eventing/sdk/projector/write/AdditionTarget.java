package dev.eventing.sdk.projector.write;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

import dev.eventing.sdk.projector.InvalidAdditionException;
import org.jspecify.annotations.Nullable;

/**
 * A table that additions go to, and the columns its rows are found by.
 *
 * @param table the table's name as SQL writes it, with its schema
 * @param key the columns of a unique constraint, in the order of their names
 * @param columns all columns of the table by name
 */
record AdditionTarget(String table, SortedSet<String> key, Map<String, Column> columns) {

	/**
	 * A column of a table.
	 *
	 * @param type what a text is cast to before it goes into the column; no text is cut
	 * by it
	 * @param number whether it can be added to
	 * @param scale how many decimals it keeps, or null: as many as there are
	 * @param filled whether a row that says nothing about it has zero in it, not null
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
	 * The delta as the column keeps it. Each is rounded by itself, and the way PostgreSQL
	 * rounds: rounding the sum would let it depend on which events share a batch.
	 * @throws InvalidAdditionException if there is no such column, or it is no number
	 */
	BigDecimal kept(String name, BigDecimal delta) {
		Column column = column(name);
		if (!column.number) {
			throw new InvalidAdditionException("Column '" + name + "' of table " + this.table + " is of type "
					+ column.type + ", which cannot be added to. Consider a column of a numeric type.");
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
				+ List.copyOf(this.columns.keySet()) + ". Consider one of these; names are taken in lower case.");
	}

	/** Orders the targets of a transaction the same in every lane. */
	String order() {
		return this.table + this.key;
	}

}
