package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The state of a connection before it was borrowed. It must be restored, because a pool
 * passes a connection on in the state in which it was returned.
 *
 * @param autoCommit whether the connection was in autocommit mode
 * @param networkMillis how long it waited for an answer, in milliseconds; 0 means no
 * limit
 */
record FormerState(boolean autoCommit, int networkMillis) {

	/**
	 * Sets autocommit mode, unless the connection may belong to a transaction of the
	 * caller, and limits how long the connection waits for an answer.
	 */
	static FormerState borrow(Connection connection, int millis) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		if (!autoCommit && !TransactionSynchronizationManager.isActualTransactionActive()) {
			connection.setAutoCommit(true);
		}
		return new FormerState(autoCommit, StatementBound.bound(connection, millis));
	}

	/** Does nothing if the connection is closed. */
	void restore(Connection connection) throws SQLException {
		if (!connection.isClosed()) {
			connection.setNetworkTimeout(Runnable::run, this.networkMillis);
			if (connection.getAutoCommit() != this.autoCommit) {
				connection.setAutoCommit(this.autoCommit);
			}
		}
	}

}
