package dev.eventing.sdk.projection.tables;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The table that a name denotes on the connection.
 *
 * @param name the name, as it was declared
 * @param oid the table, or another object with this name
 * @param schema its schema, without quotes
 * @param table its name in the catalog, without quotes
 */
record LiveTable(String name, long oid, String schema, String table) {

	private static final String IDENTIFIER = "(?:[\\p{L}_][\\p{L}\\p{N}_$]*|\"(?:[^\"\\x00]|\"\")+\")";

	private static final Pattern SIMPLE = Pattern.compile(IDENTIFIER);

	private static final Pattern QUALIFIED = Pattern.compile(IDENTIFIER + "(?:\\." + IDENTIFIER + ")+");

	static boolean isSimple(String name) {
		return SIMPLE.matcher(name).matches();
	}

	static boolean isQualified(String name) {
		return QUALIFIED.matcher(name).matches();
	}

	/**
	 * Finds what a simple name means by the {@code search_path}. By the primary keys of
	 * the catalog.
	 */
	static Optional<LiveTable> find(JdbcTemplate jdbc, String name) {
		return jdbc
			.query("""
					select c.oid, n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
					 where c.oid = to_regclass(cast(? as text))""",
					(row, number) -> new LiveTable(name, row.getLong(1), row.getString(2), row.getString(3)), name)
			.stream()
			.findFirst();
	}

	/**
	 * Finds all tables.
	 * @throws ReadModelTablesException if one does not exist
	 */
	static List<LiveTable> all(JdbcTemplate jdbc, Collection<String> names) {
		return names.stream()
			.map((name) -> find(jdbc, simple(name)).orElseThrow(() -> new ReadModelTablesException(
					"Table '" + name + "' does not exist on the search_path. Consider its name, or the search_path "
							+ "of the connection.")))
			.toList();
	}

	/**
	 * Returns the schema in which the tables are found.
	 * @throws ReadModelTablesException if one does not exist, or if they lie in several
	 * schemas, or if there are none
	 */
	static String schemaOf(JdbcTemplate jdbc, Collection<String> names) {
		Set<String> schemas = new TreeSet<>();
		all(jdbc, names).forEach((table) -> schemas.add(table.schema()));
		if (schemas.size() != 1) {
			throw new ReadModelTablesException("The tables " + names + " lie in the schemas " + schemas
					+ ". Consider one schema for all tables of a read model.");
		}
		return schemas.iterator().next();
	}

	/**
	 * Returns the name.
	 * @throws ReadModelTablesException if a statement could not use it, or it has a
	 * schema
	 */
	static String simple(String name) {
		if (!isSimple(name)) {
			throw new ReadModelTablesException("'" + name + "' is not the name of a table without a schema. "
					+ "Consider the name as a statement writes it, such as orders or \"Order Summary\".");
		}
		return name;
	}

}
