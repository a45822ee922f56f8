package dev.eventing.sdk.jdbc;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;

/** What a failure of the database is, in one sentence for a log. */
public final class DatabaseFailure {

	private DatabaseFailure() {
	}

	/**
	 * The class and the message of what is most specific about the failure: the sentence
	 * of the driver or else of the pool, which names the server; where neither says a
	 * word, of the last cause that does. A broken connection often ends in a cause
	 * without a message.
	 * @return without a full stop at its end; the class alone where nothing has a message
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

	private static boolean hasMessage(Throwable cause) {
		String message = cause.getMessage();
		return message != null && !message.isBlank();
	}

	private static String withoutFullStop(String message) {
		String stripped = message.strip();
		return stripped.endsWith(".") ? stripped.substring(0, stripped.length() - 1) : stripped;
	}

}
