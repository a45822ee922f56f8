package dev.eventing.sdk.jdbc;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.support.JdbcAccessor;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Finds out whether PostgreSQL has aborted a transaction because of an error. It turns
 * the commit of such a transaction into a rollback, and the driver reports that as a
 * success. Sends nothing. Thread-safe.
 */
public final class AbortedTransactions {

	private final @Nullable DataSource dataSource;

	private AbortedTransactions(@Nullable DataSource dataSource) {
		this.dataSource = dataSource;
	}

	/** For the transactions of the DataSource that these operations use. */
	public static AbortedTransactions of(JdbcOperations jdbc) {
		return new AbortedTransactions((jdbc instanceof JdbcAccessor accessor) ? accessor.getDataSource() : null);
	}

	/**
	 * Call it after a handler has returned.
	 * @throws UnexpectedRollbackException if it has caught an error that aborted the
	 * transaction of this thread
	 */
	public void requireUsable() {
		if (isCurrent()) {
			throw new UnexpectedRollbackException("The transaction cannot be committed any more. The handler has caught"
					+ " an error of the database, because of which PostgreSQL has aborted the transaction. Consider"
					+ " letting the exception pass, 'on conflict do nothing', or a savepoint before the statement that"
					+ " may fail.");
		}
	}

	/**
	 * The commit of the transaction of this thread fails if the transaction is aborted by
	 * then, because a listener that is called before the commit has caught an error. Call
	 * it last in the transaction: listeners that register later are not seen.
	 */
	public void checkBeforeCommit() {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void beforeCommit(boolean readOnly) {
				if (isCurrent()) {
					// Spring would not roll back after an UnexpectedRollbackException
					throw new IllegalStateException("The transaction cannot be committed any more. A listener that is"
							+ " called before the commit has caught an error of the database, because of which PostgreSQL"
							+ " has aborted the transaction. Consider letting the exception pass.");
				}
			}

		});
	}

	/**
	 * Whether the transaction of this thread is aborted. False if that is not known: its
	 * manager may expose no connection of the DataSource.
	 */
	private boolean isCurrent() {
		return this.dataSource != null && TransactionState.current(this.dataSource) == TransactionState.ABORTED;
	}

}
