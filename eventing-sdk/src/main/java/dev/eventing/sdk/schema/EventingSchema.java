package dev.eventing.sdk.schema;

import java.util.regex.Pattern;

import dev.eventing.sdk.OperatorMustActException;

/**
 * The PostgreSQL schema that holds the SDK's tables. SQL uses the table names of this
 * class, so it does not depend on a {@code search_path}.
 *
 * @param name at most 63 lower-case letters, digits and {@code _}; does not start with a
 * digit
 */
public record EventingSchema(String name) {

	/** The default name. */
	public static final String DEFAULT_NAME = "eventing";

	private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

	/**
	 * Checks the name.
	 * @throws OperatorMustActException if it is not a plain identifier
	 */
	public EventingSchema {
		requireIdentifier(name, "schema");
	}

	/** The schema {@value #DEFAULT_NAME}. */
	public static EventingSchema defaults() {
		return new EventingSchema(DEFAULT_NAME);
	}

	/**
	 * The table as SQL writes it: {@code "eventing"."processed_events"}.
	 * @throws OperatorMustActException if the table's name is not a plain identifier
	 */
	public String table(String table) {
		return '"' + this.name + "\".\"" + requireIdentifier(table, "table") + '"';
	}

	/** The end of an error text that advises to run the SQL by hand. */
	String printedBy() {
		return "printed by 'java -cp eventing-migrations.jar dev.eventing.migrations.EventingMigrations " + this.name
				+ "'";
	}

	private static String requireIdentifier(String name, String what) {
		if (!IDENTIFIER.matcher(name).matches()) {
			throw new OperatorMustActException("'" + name + "' cannot name a " + what
					+ ". Consider 1 to 63 lower-case letters, digits or '_', not starting with a digit.");
		}
		return name;
	}

}
