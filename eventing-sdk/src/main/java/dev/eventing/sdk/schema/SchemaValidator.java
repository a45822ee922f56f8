package dev.eventing.sdk.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Compares the schema with the tables and functions that the SDK needs, and reports all
 * problems at once.
 */
final class SchemaValidator {

	/**
	 * Reads the catalog, not information_schema, which hides tables that the user has no
	 * right to read. A missing right must not look like a missing table.
	 */
	private static final String COLUMNS = """
			select c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
			       exists (select 1 from pg_index i
			                where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey))
			  from pg_class c
			  join pg_namespace n on n.oid = c.relnamespace
			  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
			 where n.nspname = ? and c.relkind in ('r', 'p', 'v')
			""";

	private static final String FUNCTIONS = """
			select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = ?
			""";

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	SchemaValidator(DataSource dataSource, EventingSchema schema) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.schema = schema;
	}

	void validate() {
		Map<String, Map<String, Column>> tables = read();
		List<String> problems = new ArrayList<>();
		for (RequiredTable required : RequiredTable.ALL) {
			Map<String, Column> found = tables.get(required.name());
			if (found == null) {
				problems.add(required.kind() + " '" + required.name() + "' is missing");
			}
			else {
				compare(required, found, problems);
			}
		}
		List<String> functions = this.jdbc.queryForList(FUNCTIONS, String.class, this.schema.name());
		RequiredTable.FUNCTIONS.stream()
			.filter((required) -> !functions.contains(required))
			.forEach((required) -> problems.add("function '" + required + "' is missing"));
		if (!problems.isEmpty()) {
			throw new SchemaNotReadyException(message(problems), problems);
		}
		// Without them, the next look would fail.
		refuse(new RoleRights(this.jdbc, this.schema).problems());
		List<String> rows = new ArrayList<>(
				RowSecurity.problems(RowSecurity.secured(this.jdbc, this.schema), this.schema));
		rows.addAll(new Sequences(this.jdbc, this.schema).problems());
		refuse(rows);
	}

	/** Of what the tables give to this role. */
	private void refuse(List<String> problems) {
		if (!problems.isEmpty()) {
			throw new SchemaNotReadyException(UnsafeTablesException.message(this.schema, problems), problems,
					UnsafeTablesException.of(this.schema, problems));
		}
	}

	private Map<String, Map<String, Column>> read() {
		Map<String, Map<String, Column>> tables = new HashMap<>();
		this.jdbc.query(COLUMNS, (row) -> {
			tables.computeIfAbsent(row.getString(1), (table) -> new TreeMap<>())
				.put(row.getString(2), new Column(row.getString(3), row.getBoolean(4)));
		}, this.schema.name());
		return tables;
	}

	private static void compare(RequiredTable required, Map<String, Column> found, List<String> problems) {
		String table = required.name();
		required.primaryKey().forEach((name, type) -> {
			Column column = found.get(name);
			if (column != null && !column.type().equals(type)) {
				problems.add("column '%s.%s' is '%s', not '%s'".formatted(table, name, column.type(), type));
			}
		});
		Set<String> needed = new TreeSet<>(required.primaryKey().keySet());
		needed.addAll(required.columns());
		needed.removeAll(found.keySet());
		needed.forEach((name) -> problems.add("column '" + table + "." + name + "' is missing"));

		Set<String> key = new TreeSet<>();
		found.forEach((name, column) -> {
			if (column.inPrimaryKey()) {
				key.add(name);
			}
		});
		Set<String> neededKey = new TreeSet<>(required.primaryKey().keySet());
		if (!key.equals(neededKey)) {
			problems.add("primary key of '%s' is %s, not %s".formatted(table, key, neededKey));
		}
	}

	private String message(List<String> problems) {
		return "Schema '" + this.schema.name() + "' is not ready: " + String.join("; ", problems)
				+ ". Consider eventing.schema.mode=migrate, or run the SQL " + this.schema.printedBy() + ".";
	}

	private record Column(String type, boolean inPrimaryKey) {
	}

}
