package dev.eventing.sdk.jdbc;

import java.lang.reflect.Method;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcAccessor;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Finds out whether PostgreSQL has aborted a transaction because of an error. It turns
 * the commit of such a transaction into a rollback, and the driver reports that as a
 * success. The server tells the state with each answer, so this asks only the driver.
 * Thread-safe.
 */
public final class AbortedTransactions {

	private static final Logger logger = LoggerFactory.getLogger(AbortedTransactions.class);

	static final String DRIVER = "org.postgresql.core.BaseConnection";

	private static final String ABORTED = "FAILED";

	private final @Nullable DataSource dataSource;

	/** Null if the driver is not that of PostgreSQL. */
	private final @Nullable Method state;

	private AbortedTransactions(@Nullable DataSource dataSource) {
		this.dataSource = dataSource;
		this.state = state();
	}

	/** For the transactions of the DataSource that these operations use. */
	public static AbortedTransactions of(JdbcOperations jdbc) {
		return new AbortedTransactions((jdbc instanceof JdbcAccessor accessor) ? accessor.getDataSource() : null);
	}

	/** By reflection: this package is not compiled against the driver. */
	private static @Nullable Method state() {
		ClassLoader loader = AbortedTransactions.class.getClassLoader();
		try {
			return ClassUtils.forName(DRIVER, loader).getMethod("getTransactionState");
		}
		catch (ReflectiveOperationException | LinkageError ex) {
			logger.debug("The driver does not tell the state of a transaction.", ex);
			return null;
		}
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
		Method asked = this.state;
		DataSource used = this.dataSource;
		if (asked == null || used == null
				|| !(TransactionSynchronizationManager.getResource(used) instanceof ConnectionHolder holder)) {
			return false;
		}
		try {
			Object connection = holder.getConnection().unwrap(asked.getDeclaringClass());
			return ABORTED.equals(String.valueOf(asked.invoke(connection)));
		}
		catch (SQLException | ReflectiveOperationException | RuntimeException ex) {
			logger.trace("The state of a transaction is not known.", ex);
			return false;
		}
	}

}
