package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Does something to the connection of a transaction that has ended. */
final class EndingConnections {

	private EndingConnections() {
	}

	/** Before the listeners without an order are called. */
	static void atTheEnd(DataSource dataSource, Ending ending) {
		ConnectionHolder holder = (ConnectionHolder) Objects
			.requireNonNull(TransactionSynchronizationManager.getResource(dataSource));
		Connection connection = holder.getConnection();
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public int getOrder() {
				return HIGHEST_PRECEDENCE;
			}

			@Override
			public void afterCompletion(int status) {
				try {
					ending.of(connection);
				}
				catch (SQLException ex) {
					throw new IllegalStateException(ex);
				}
			}

		});
	}

	/** What happens to it. */
	interface Ending {

		void of(Connection connection) throws SQLException;

	}

}
