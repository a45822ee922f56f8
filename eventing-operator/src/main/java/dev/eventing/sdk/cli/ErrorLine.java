package dev.eventing.sdk.cli;

import java.sql.SQLException;

import dev.eventing.sdk.EventingException;
import org.jspecify.annotations.Nullable;

/** Describes an error in one line without secrets. */
final class ErrorLine {

	private final Terminal terminal;

	ErrorLine(Terminal terminal) {
		this.terminal = terminal;
	}

	/** The exit code. */
	int print(Exception error, Object command) {
		DatabaseCommand own = (command instanceof DatabaseCommand found) ? found : null;
		this.terminal.note(this.terminal.red("eventing: ") + Terminal.printable(message(error, own)));
		if (own != null && own.output().isVerbose()) {
			error.printStackTrace(this.terminal.err());
		}
		return (error instanceof UsageException) ? ExitCode.USAGE : ExitCode.ERROR;
	}

	private static String message(Exception error, @Nullable DatabaseCommand command) {
		SQLException sql = sql(error);
		String schema = (command != null) ? command.database().schemaName() : "";
		if (sql == null) {
			boolean own = error instanceof EventingException || error instanceof IllegalArgumentException;
			return own ? String.valueOf(error.getMessage()) : error.toString();
		}
		String state = (sql.getSQLState() != null) ? sql.getSQLState() : "";
		return switch (state) {
			case "42P01", "3F000" -> "The SDK's tables are missing in schema '" + schema
					+ "'. Consider --schema, another database, or migrating it.";
			case "42703" ->
				"The tables in schema '" + schema + "' are older than this program. Consider migrating them.";
			case "42501" -> "The database's user lacks a permission: " + first(sql) + ". Consider granting it.";
			case "28P01", "28000" -> "PostgreSQL rejects the user or the password: " + first(sql)
					+ ". Consider EVENTING_DATABASE_USER and EVENTING_DATABASE_PASSWORD.";
			case "08001", "08004", "08006" ->
				"PostgreSQL cannot be reached: " + first(sql) + " Consider checking --url.";
			default -> first(sql) + (state.isEmpty() ? "" : " (SQL state " + state + ")");
		};
	}

	private static @Nullable SQLException sql(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql) {
				return sql;
			}
		}
		return null;
	}

	/** The driver's message without details, which may quote rows. */
	private static String first(SQLException sql) {
		return String.valueOf(sql.getMessage()).lines().findFirst().orElse("").strip();
	}

}
