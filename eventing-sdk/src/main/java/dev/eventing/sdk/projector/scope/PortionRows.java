package dev.eventing.sdk.projector.scope;

import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projector.ReadModel;
import dev.eventing.sdk.projector.RowColumns;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.SqlParameterValue;

/**
 * The rows of a portion, by what the tables of the read model declare. Statements run in
 * the caller's transaction.
 */
final class PortionRows {

	private final JdbcOperations jdbc;

	private final Map<String, Condition> conditions = new LinkedHashMap<>();

	private final boolean withoutTenant;

	/**
	 * Sends no query yet.
	 * @throws RequestRefusedException if a table does not declare what the portion needs,
	 * or the portion is no whole number of buckets
	 */
	PortionRows(ReadModel readModel, Portion portion, JdbcOperations jdbc) {
		this.jdbc = jdbc;
		boolean without = false;
		for (String table : new TreeSet<>(readModel.tables())) {
			RowColumns columns = readModel.columnsOf(table);
			this.conditions.put(table, condition(table, columns, portion));
			without |= columns.tenant() == null;
		}
		this.withoutTenant = without;
	}

	private static Condition condition(String table, RowColumns columns, Portion portion) {
		Condition condition = new Condition(new ArrayList<>(), new ArrayList<>());
		if (portion.tenant() != null && (portion.stream() == null || columns.tenant() != null)) {
			condition.add(required(table, columns.tenant(), "the tenant", "tenantColumn = \"tenant_id\"") + " = ?",
					portion.tenant().value());
		}
		String stream = portion.stream();
		if (stream != null) {
			String column = required(table, columns.stream(), "the stream id", "streamColumn = \"stream_id\"");
			if (!stream.startsWith(columns.streamPrefix())) {
				return Condition.NONE; // it has no rows there
			}
			condition.add(column + " = ?", stream.substring(columns.streamPrefix().length()));
		}
		Instant from = portion.from();
		Instant to = portion.to();
		if (from != null && to != null) {
			String bucket = required(table, columns.bucket(), "the time bucket",
					"bucketColumn = \"hour\", bucketLength = \"PT1H\"");
			requireWhole(table, columns.bucketLength(), from);
			requireWhole(table, columns.bucketLength(), to);
			condition.add(bucket + " >= ?", from.toString());
			condition.add(bucket + " < ?", to.toString());
		}
		return condition;
	}

	private static String required(String table, @Nullable String column, String what, String attributes) {
		if (column == null) {
			throw new RequestRefusedException("Table '" + table + "' does not declare which column holds " + what
					+ " of a row. Consider @Projector(rows = @ReadModelRows(table = \"" + table + "\", " + attributes
					+ ")), or a rebuild of all of the read model.");
		}
		return column;
	}

	/** Otherwise a bucket would get a part of its events. */
	private static void requireWhole(String table, @Nullable Duration length, Instant end) {
		if (length == null) {
			return;
		}
		long millis = length.toMillis();
		Instant before = Instant.ofEpochMilli(Math.floorDiv(end.toEpochMilli(), millis) * millis);
		if (!before.equals(end)) {
			throw new RequestRefusedException("The window ends within a bucket of table '" + table + "', which lasts "
					+ length + ", at " + end + ". Consider " + before + ", or " + before.plusMillis(millis) + ".");
		}
	}

	/** Whether rows of one stream id of several tenants cannot be told apart. */
	boolean withoutTenant() {
		return this.withoutTenant;
	}

	/** The tables. */
	List<String> tables() {
		return List.copyOf(this.conditions.keySet());
	}

	/**
	 * Deletes the rows of all tables in one statement, so that rows which refer to each
	 * other can go in any order.
	 * @return the number of deleted rows
	 */
	long delete() {
		List<Object> values = new ArrayList<>();
		List<String> deletes = new ArrayList<>();
		List<String> counts = new ArrayList<>();
		this.conditions.forEach((table, condition) -> {
			String name = "d" + deletes.size();
			deletes.add(name + " as (delete from " + table + " where " + condition.sql() + " returning 1)");
			counts.add("(select count(*) from " + name + ")");
			values.addAll(condition.values());
		});
		Long deleted = this.jdbc.queryForObject(
				"with " + String.join(", ", deletes) + " select " + String.join(" + ", counts), Long.class,
				values.toArray());
		return (deleted != null) ? deleted : 0;
	}

	/** The number of rows of a table that are not of the portion. Reads all of it. */
	long others(String table) {
		Long others = this.jdbc.queryForObject("select count(*) from " + table + " where " + notOwned(table),
				Long.class, values(table));
		return (others != null) ? others : 0;
	}

	/**
	 * The number of rows of a table that this transaction has written and that are not of
	 * the portion. Reads all of it.
	 */
	long othersWritten(String table) {
		// A savepoint of a handler has a later number than its transaction.
		Long written = this.jdbc.queryForObject(
				"select count(*) from " + table + " where age(xmin) <= 0 and " + notOwned(table), Long.class,
				values(table));
		return (written != null) ? written : 0;
	}

	private String notOwned(String table) {
		return "(" + condition(table).sql() + ") is not true";
	}

	private Object[] values(String table) {
		return condition(table).values().toArray();
	}

	private Condition condition(String table) {
		return this.conditions.getOrDefault(table, Condition.NONE);
	}

	/** The size of a table with its partitions, without indexes. */
	long bytes(String table) {
		Long bytes = this.jdbc.queryForObject(
				"select coalesce(sum(pg_relation_size(relid)), 0)::bigint from pg_partition_tree(?::regclass)",
				Long.class, table);
		return (bytes != null) ? bytes : 0;
	}

	/**
	 * Which rows of a table are of the portion.
	 *
	 * @param terms all of them hold
	 * @param values their parameters, of the types of the columns
	 */
	private record Condition(List<String> terms, List<Object> values) {

		static final Condition NONE = new Condition(List.of(), List.of());

		void add(String term, String value) {
			this.terms.add(term);
			this.values.add(new SqlParameterValue(Types.OTHER, value));
		}

		String sql() {
			return this.terms.isEmpty() ? "false" : this.terms.stream().collect(Collectors.joining(" and "));
		}

	}

}
