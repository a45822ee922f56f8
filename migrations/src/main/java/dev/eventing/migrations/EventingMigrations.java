package dev.eventing.migrations;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The SQL of the SDK's tables: where Flyway finds it, and its text for teams that run
 * their SQL themselves. Scripts only move forward, and a published one never changes.
 */
public final class EventingMigrations {

	/**
	 * The Flyway location; apart from {@code db/migration}, so that versions never mix.
	 */
	public static final String LOCATION = "classpath:dev/eventing/migrations/postgresql";

	/** Flyway's history of this location, beside the one of the application. */
	public static final String HISTORY_TABLE = "eventing_schema_history";

	private static final List<String> SCRIPTS = List.of("V1__create_tables.sql");

	private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

	private EventingMigrations() {
	}

	/** The file names in the order they run in. */
	public static List<String> scripts() {
		return SCRIPTS;
	}

	/** The versions in the order they run in, such as {@code 1}. */
	public static List<String> versions() {
		return SCRIPTS.stream().map((script) -> script.substring(1, script.indexOf("__"))).toList();
	}

	/**
	 * All scripts in order, without a schema: the session's {@code search_path} decides
	 * where the tables go.
	 */
	public static String sql() {
		return SCRIPTS.stream().map((script) -> "-- " + script + "\n" + read(script)).collect(Collectors.joining("\n"));
	}

	/**
	 * All scripts in order as one transaction that creates the schema if it is missing
	 * and puts the tables there.
	 * @throws IllegalArgumentException if the name is not lower-case letters, digits and
	 * {@code _}
	 */
	public static String sql(String schema) {
		if (!SCHEMA.matcher(schema).matches()) {
			throw new IllegalArgumentException("'" + schema
					+ "' is no schema name. Consider lower-case letters, digits and '_', such as 'eventing'.");
		}
		return """
				begin;
				create schema if not exists "%1$s";
				set local search_path to "%1$s";

				%2$s
				commit;
				""".formatted(schema, sql());
	}

	/**
	 * Prints the SQL:
	 * {@code java -cp eventing-migrations.jar dev.eventing.migrations.EventingMigrations [schema]}.
	 * @param args the schema to create the tables in; without it the SQL names none
	 */
	public static void main(String[] args) {
		PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
		out.print((args.length > 0) ? sql(args[0]) : sql());
	}

	private static String read(String script) {
		try (InputStream in = EventingMigrations.class.getResourceAsStream("postgresql/" + script)) {
			if (in == null) {
				throw new IllegalStateException("'" + script + "' is not in the jar of eventing-migrations.");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
