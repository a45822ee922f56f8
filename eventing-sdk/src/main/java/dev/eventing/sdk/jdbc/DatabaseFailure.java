package dev.eventing.sdk.jdbc;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** Describes a failure of the database in one sentence, for a log or a status. */
public final class DatabaseFailure {

	/**
	 * A right, a schema, a table, a column or a function is missing. It stays so until
	 * somebody changes it.
	 */
	private static final Set<String> MISSING = Set.of("42501", "3F000", "42P01", "42703", "42883");

	private DatabaseFailure() {
	}

	/**
	 * The class and the message of the most specific cause: the last {@link SQLException}
	 * with a message, which comes from the driver or the pool and names the server.
	 * Without one, the last cause that has a message: a broken connection often ends in a
	 * cause without a message.
	 * @return a text without a full stop at its end; the class alone if no cause has a
	 * message
	 */
	public static String describe(Throwable failure) {
		Throwable told = null;
		Set<Throwable> seen = new HashSet<>();
		for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
			if (hasMessage(cause) && (cause instanceof SQLException || !(told instanceof SQLException))) {
				told = cause;
			}
		}
		return (told != null)
				? told.getClass().getSimpleName() + ": " + withoutFullStop(String.valueOf(told.getMessage()))
				: failure.getClass().getSimpleName();
	}

	/**
	 * What the database lacks, in its own words, if one of the SDK's own statements
	 * failed because of that; else null.
	 */
	public static @Nullable String missing(Throwable failure) {
		Set<Throwable> seen = new HashSet<>();
		for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
			if (cause instanceof SQLException sql && MISSING.contains(String.valueOf(sql.getSQLState()))) {
				return cause.getMessage();
			}
		}
		return null;
	}

	private static boolean hasMessage(Throwable cause) {
		String message = cause.getMessage();
		return message != null && !message.isBlank();
	}

	private static String withoutFullStop(String message) {
		String stripped = message.strip();
		return stripped.endsWith(".") ? stripped.substring(0, stripped.length() - 1) : stripped;
	}

}
