package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection in autocommit mode, whose waits for an answer are limited.
 *
 * @param connection as the driver or the pool gave it
 * @param before its state then
 * @param ofPool whether it is one of the DataSource's, not one outside the pool
 */
record LentConnection(Connection connection, FormerState before, boolean ofPool) implements AutoCloseable {

	static LentConnection of(Connection connection, int networkMillis, boolean ofPool) throws SQLException {
		try {
			return new LentConnection(connection, FormerState.borrow(connection, networkMillis), ofPool);
		}
		catch (SQLException ex) {
			connection.close();
			throw ex;
		}
	}

	/** Returns it in its former state. */
	@Override
	public void close() throws SQLException {
		try (Connection closed = this.connection) {
			this.before.restore(closed);
		}
	}

}
