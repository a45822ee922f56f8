package dev.eventing.sdk.jdbc;

import javax.sql.DataSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A JDBC transaction manager that treats any connection of its DataSource that is bound
 * to the thread as that of an existing transaction. So a new transaction suspends what
 * JPA's transaction manager has begun, where a plain manager would take the connection of
 * JPA, and commit it.
 */
public final class SuspendingTransactions extends JdbcTransactionManager {

	private static final long serialVersionUID = 1L;

	/** Opens no connection yet. */
	public SuspendingTransactions(DataSource dataSource) {
		super(dataSource);
	}

	@Override
	protected boolean isExistingTransaction(Object transaction) {
		return TransactionSynchronizationManager.hasResource(obtainDataSource());
	}

}
