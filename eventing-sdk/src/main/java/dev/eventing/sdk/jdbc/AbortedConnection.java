package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Breaks a connection, so that no pool lends it again. */
final class AbortedConnection {

	private static final Logger logger = LoggerFactory.getLogger(AbortedConnection.class);

	private AbortedConnection() {
	}

	/**
	 * Aborts the lent one, so that its pool does not take it back, or the driver's one if
	 * the lent one was given back before. Somebody else may use it by then, and gets an
	 * error.
	 */
	static void of(Connection lent, Connection own) {
		try {
			of(lent.isClosed() ? own : lent);
		}
		catch (SQLException ex) {
			logger.debug("It is not known whether a connection was given back.", ex);
			of(own);
		}
	}

	/** Aborts it. Does nothing if the driver refuses that. */
	static void of(Connection connection) {
		try {
			connection.abort(Runnable::run);
		}
		catch (SQLException ex) {
			logger.debug("A connection cannot be aborted.", ex);
		}
	}

}
