package dev.eventing.sdk.schema;

import java.sql.SQLException;

import dev.eventing.sdk.EventingException;

/**
 * The database gave no connection at start-up, so that it is not known whether the tables
 * are there. The application does not start; it may be started again later.
 */
public class DatabaseUnavailableException extends EventingException {

	private static final long serialVersionUID = 1L;

	private DatabaseUnavailableException(String message, Throwable cause) {
		super(message, cause);
	}

	static DatabaseUnavailableException of(EventingSchema schema, Throwable cause) {
		return new DatabaseUnavailableException(
				"The database cannot be reached to look for the tables of schema '" + schema.name() + "': "
						+ rootMessage(cause)
						+ " Consider whether PostgreSQL runs, and the URL, user and password of the DataSource.",
				cause);
	}

	/** Whether it comes from the driver. */
	static boolean isSql(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException) {
				return true;
			}
		}
		return false;
	}

	/** The driver's own sentence: it names server and port, and no password. */
	private static String rootMessage(Throwable failure) {
		String message = String.valueOf(failure.getMessage());
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException && cause.getMessage() != null) {
				message = cause.getMessage();
			}
		}
		return message.endsWith(".") ? message : message + ".";
	}

}
