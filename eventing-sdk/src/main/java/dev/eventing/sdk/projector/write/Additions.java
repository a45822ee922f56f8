package dev.eventing.sdk.projector.write;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.eventing.sdk.projector.InvalidAdditionException;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * What the handlers of one transaction add to rows: added up here, and written at its
 * end, one statement for each table, the tables in the order of their names. Not
 * thread-safe.
 */
public final class Additions {

	private final AdditionTargets targets;

	private final SortedMap<String, Table> tables = new TreeMap<>();

	Additions(AdditionTargets targets) {
		this.targets = targets;
	}

	/**
	 * Adds to columns of a row.
	 * @throws IllegalArgumentException if a name or value is none
	 * @throws InvalidAdditionException if the table cannot take it
	 */
	void add(String table, Map<String, ?> key, Map<String, ? extends Number> deltas) {
		SortedMap<String, String> keyTexts = AdditionValues.key(key);
		SortedMap<String, BigDecimal> numbers = AdditionValues.deltas(deltas);
		AdditionTarget target = this.targets.find(AdditionValues.table(table), new TreeSet<>(keyTexts.keySet()),
				numbers.keySet());
		numbers.replaceAll(target::kept);
		this.tables.computeIfAbsent(target.order(), (order) -> new Table(target))
			.add(List.copyOf(keyTexts.values()), numbers);
	}

	/** Writes them. */
	void execute(JdbcOperations jdbc) {
		try {
			this.tables.values().forEach((table) -> table.execute(jdbc));
		}
		catch (DataAccessException ex) {
			this.targets.forget();
			throw ex;
		}
	}

	/** What is added to the rows of one table. */
	private static final class Table {

		private final AdditionTarget target;

		private final Map<List<String>, Row> rows = new HashMap<>();

		private final SortedSet<String> columns = new TreeSet<>();

		Table(AdditionTarget target) {
			this.target = target;
		}

		void add(List<String> key, Map<String, BigDecimal> deltas) {
			this.columns.addAll(deltas.keySet());
			this.rows.computeIfAbsent(key, (each) -> new Row(each, new HashMap<>())).add(deltas);
		}

		void execute(JdbcOperations jdbc) {
			AdditionStatement statement = new AdditionStatement(this.target, this.columns);
			List<Row> all = new ArrayList<>(this.rows.values());
			jdbc.update(statement.sql(), (prepared) -> statement.bind(prepared, all));
		}

	}

	/**
	 * What is added to one row.
	 *
	 * @param key the values of its key, in the order of the columns' names
	 * @param sums what is added to each column that is added to
	 */
	record Row(List<String> key, Map<String, BigDecimal> sums) {

		void add(Map<String, BigDecimal> deltas) {
			deltas.forEach((column, delta) -> this.sums.merge(column, delta, BigDecimal::add));
		}

	}

}
