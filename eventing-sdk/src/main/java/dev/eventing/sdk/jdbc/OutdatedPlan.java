package dev.eventing.sdk.jdbc;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recognizes the error of a prepared statement, such as a {@code select *}, whose tables
 * have other columns than when it was prepared. It is about the connection: the driver
 * prepares the statement again at the next call.
 */
public final class OutdatedPlan {

	private static final Logger logger = LoggerFactory.getLogger(OutdatedPlan.class);

	/** PostgreSQL has it for all that it does not support. */
	private static final String STATE = "0A000";

	private static final String MESSAGE = "cached plan must not change result type";

	/** Where PostgreSQL finds it, whatever the language of its messages is. */
	private static final String ROUTINE = "RevalidateCachedQuery";

	private OutdatedPlan() {
	}

	/** Whether this is such an error. */
	public static boolean isMetBy(SQLException failure) {
		return STATE.equals(failure.getSQLState())
				&& (String.valueOf(failure.getMessage()).contains(MESSAGE) || ROUTINE.equals(routine(failure)));
	}

	/** Calls the driver by reflection: this package is not compiled against it. */
	private static @Nullable Object routine(SQLException failure) {
		try {
			Object message = failure.getClass().getMethod("getServerErrorMessage").invoke(failure);
			return (message != null) ? message.getClass().getMethod("getRoutine").invoke(message) : null;
		}
		catch (ReflectiveOperationException ex) {
			logger.trace("The driver does not name the routine of an error.", ex);
			return null;
		}
	}

}
