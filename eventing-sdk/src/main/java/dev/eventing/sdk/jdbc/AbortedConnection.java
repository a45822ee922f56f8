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
