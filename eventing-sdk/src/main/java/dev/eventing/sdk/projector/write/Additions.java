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
 * The additions of all handlers of one transaction. They are summed up here and written
 * at the end of the transaction: one statement for each table and key, sorted by table
 * name. Not thread-safe.
 */
public final class Additions {

	private final AdditionTargets targets;

	private final SortedMap<String, Table> tables = new TreeMap<>();

	Additions(AdditionTargets targets) {
		this.targets = targets;
	}

	/**
	 * Adds to columns of a row.
	 * @throws IllegalArgumentException if a name or value is invalid
	 * @throws InvalidAdditionException if the table cannot accept it
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

	/** Writes the additions. */
	void execute(JdbcOperations jdbc) {
		try {
			this.tables.values().forEach((table) -> table.execute(jdbc));
		}
		catch (DataAccessException ex) {
			this.targets.forget();
			throw ex;
		}
	}

	/** The additions to the rows of one table. */
	private static final class Table {

		private final AdditionTarget target;

		private final Map<List<String>, AddedRow> rows = new HashMap<>();

		private final SortedSet<String> columns = new TreeSet<>();

		Table(AdditionTarget target) {
			this.target = target;
		}

		void add(List<String> key, Map<String, BigDecimal> deltas) {
			this.columns.addAll(deltas.keySet());
			this.rows.computeIfAbsent(key, (each) -> new AddedRow(each, new HashMap<>())).add(deltas);
		}

		void execute(JdbcOperations jdbc) {
			AdditionStatement statement = new AdditionStatement(this.target, this.columns);
			List<AddedRow> all = new ArrayList<>(this.rows.values());
			jdbc.update(statement.sql(), (prepared) -> statement.bind(prepared, all));
		}

	}

}
