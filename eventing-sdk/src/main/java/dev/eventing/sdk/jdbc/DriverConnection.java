package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * The connection of PostgreSQL's driver behind one that a pool lends. The lent one is
 * closed once it was given back, also if that happens before the listeners of the
 * transaction are called, as Hibernate may do. The driver's one tells what became of the
 * session, which may serve others by then.
 */
final class DriverConnection {

	private static final Logger logger = LoggerFactory.getLogger(DriverConnection.class);

	static final String TYPE = "org.postgresql.PGConnection";

	private DriverConnection() {
	}

	/** Null if the driver is another one, or the connection is closed. */
	static @Nullable Connection of(Connection lent) {
		try {
			return (lent.unwrap(type()) instanceof Connection own) ? own : null;
		}
		catch (SQLException | ReflectiveOperationException | RuntimeException | LinkageError ex) {
			logger.trace("The driver of a connection is not known.", ex);
			return null;
		}
	}

	/** By reflection: this package is not compiled against the driver. */
	static Class<?> type() throws ClassNotFoundException {
		return ClassUtils.forName(TYPE, DriverConnection.class.getClassLoader());
	}

}
