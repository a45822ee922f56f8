package dev.eventing.sdk.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The state of a transaction by PostgreSQL's driver. The server tells it with each
 * answer, so this sends nothing.
 */
public enum TransactionState {

	/** The connection is in no transaction. */
	NONE,

	/** The transaction can go on. */
	OPEN,

	/** The server has aborted the transaction because of an error. */
	ABORTED,

	/** The driver does not tell. */
	UNKNOWN;

	private static final Logger logger = LoggerFactory.getLogger(TransactionState.class);

	static final String DRIVER = "org.postgresql.core.BaseConnection";

	/** Null if the driver is not that of PostgreSQL. */
	private static final @Nullable Method ASKED = asked();

	/** By reflection: this package is not compiled against the driver. */
	private static @Nullable Method asked() {
		try {
			return ClassUtils.forName(DRIVER, TransactionState.class.getClassLoader()).getMethod("getTransactionState");
		}
		catch (ReflectiveOperationException | LinkageError ex) {
			logger.debug("The driver does not tell the state of a transaction.", ex);
			return null;
		}
	}

	/**
	 * The state of this thread's transaction of the DataSource. {@link #UNKNOWN} if its
	 * manager exposes no connection of the DataSource.
	 */
	public static TransactionState current(DataSource dataSource) {
		return (TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder)
				? of(holder.getConnection()) : UNKNOWN;
	}

	private static TransactionState of(Connection connection) {
		if (ASKED == null) {
			return UNKNOWN;
		}
		try {
			Object state = ASKED.invoke(connection.unwrap(ASKED.getDeclaringClass()));
			return switch (String.valueOf(state)) {
				case "IDLE" -> NONE;
				case "OPEN" -> OPEN;
				case "FAILED" -> ABORTED;
				default -> UNKNOWN;
			};
		}
		catch (SQLException | ReflectiveOperationException | RuntimeException ex) {
			logger.trace("The state of a transaction is not known.", ex);
			return UNKNOWN;
		}
	}

}
