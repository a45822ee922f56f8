package dev.eventing.sdk.projector;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

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
	 * Refuses a delta that the column would round. What comes of rounding depends on
	 * which deltas are added up first, and so on which events share a batch.
	 * @throws InvalidAdditionException if the column is no number, or keeps fewer
	 * decimals
	 */
	void check(String name, BigDecimal delta) {
		Column column = column(name);
		if (!column.number) {
			throw new InvalidAdditionException("Column '" + name + "' of table " + this.table + " is of type "
					+ column.type + ", which cannot be added to. Consider a column of a numeric type.");
		}
		Integer scale = column.scale;
		if (scale != null && delta.scale() > scale && delta.stripTrailingZeros().scale() > scale) {
			throw new InvalidAdditionException("A delta for column '" + name + "' of table " + this.table
					+ " has more decimals than " + column.type + " keeps, and what is lost would depend on which"
					+ " events share a batch. Consider rounding it in the handler, or a column of type numeric.");
		}
	}

	/** The sum in the form the column takes. */
	String text(String name, BigDecimal sum) {
		Integer scale = column(name).scale;
		return ((scale != null) ? sum.setScale(scale) : sum).toPlainString();
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
