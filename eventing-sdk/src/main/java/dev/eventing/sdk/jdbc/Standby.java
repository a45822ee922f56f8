package dev.eventing.sdk.jdbc;

import java.sql.Connection;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Recognizes a connection to a standby, which accepts no writes: a pool keeps connections
 * to a former primary. The server tells what it is when that changes, so this asks only
 * the driver.
 */
final class Standby {

	private static final Logger logger = LoggerFactory.getLogger(Standby.class);

	private static final String REPORTED = "in_hot_standby";

	private Standby() {
	}

	/**
	 * Aborts the connection of this thread's transaction of the DataSource, if the
	 * transaction fails and the server is a standby: a pool would lend the connection for
	 * as long as it lives.
	 */
	static void abortAfterFailure(DataSource dataSource) {
		if (TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder) {
			Connection connection = holder.getConnection();
			Connection own = DriverConnection.of(connection);
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int status) {
					if (status != STATUS_COMMITTED && own != null && answers(own)) {
						AbortedConnection.of(connection, own);
					}
				}

			});
		}
	}

	/**
	 * Whether the server was a standby when it answered last. False if that is not known.
	 * @param own the driver's connection
	 */
	static boolean answers(Connection own) {
		try {
			return "on"
				.equals(DriverConnection.type().getMethod("getParameterStatus", String.class).invoke(own, REPORTED));
		}
		catch (ReflectiveOperationException | RuntimeException | LinkageError ex) {
			logger.trace("It is not known whether a server is a standby.", ex);
			return false;
		}
	}

}
