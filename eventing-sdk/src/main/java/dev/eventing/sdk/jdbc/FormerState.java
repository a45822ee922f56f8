package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * How a connection was before it was borrowed: a pool hands it to others as it gets it
 * back.
 *
 * @param autoCommit whether each of its statements committed by itself
 * @param networkMillis how long it waited for an answer; 0 for ever
 */
record FormerState(boolean autoCommit, int networkMillis) {

	/**
	 * Makes the connection's statements commit by themselves, unless it may belong to a
	 * transaction of the caller's, and bounds how long it waits for an answer.
	 */
	static FormerState borrow(Connection connection, int millis) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		if (!autoCommit && !TransactionSynchronizationManager.isActualTransactionActive()) {
			connection.setAutoCommit(true);
		}
		return new FormerState(autoCommit, StatementBound.bound(connection, millis));
	}

	/** Does nothing to one that is closed. */
	void restore(Connection connection) throws SQLException {
		if (!connection.isClosed()) {
			connection.setNetworkTimeout(Runnable::run, this.networkMillis);
			if (connection.getAutoCommit() != this.autoCommit) {
				connection.setAutoCommit(this.autoCommit);
			}
		}
	}

}
