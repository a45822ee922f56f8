package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.InfrastructureProxy;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The connections of open transactions, whichever transaction manager began them. None of
 * them waits for an answer without a limit. All can be aborted at once, which also frees
 * a thread that waits for a silent server. A connection to a standby is not used again
 * after a transaction that failed. Thread-safe.
 */
public final class OpenTransactions {

	private static final Logger logger = LoggerFactory.getLogger(OpenTransactions.class);

	private final DataSource dataSource;

	private final Duration longest;

	private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

	/**
	 * Contains no transaction yet.
	 * @param dataSource the DataSource of the transactions
	 * @param longest how long a statement may wait for an answer; zero for no limit
	 */
	public OpenTransactions(DataSource dataSource, Duration longest) {
		this.dataSource = dataSource;
		this.longest = longest;
	}

	/**
	 * Adds the transaction that this thread has just begun, until it ends. Does nothing
	 * if its manager exposes no connection of the DataSource.
	 * @throws org.springframework.dao.DataAccessException if its connection is broken
	 */
	public void join() {
		join(this.longest);
	}

	/**
	 * As {@link #join()}, with a separate limit.
	 * @param mostly the time after which the server is asked to cancel a statement; the
	 * statement then has half a second to return
	 * @throws org.springframework.dao.DataAccessException if its connection is broken
	 */
	public void joinFor(Duration mostly) {
		Duration bound = Duration.ofMillis(StatementBound.of(mostly).networkMillis());
		join((this.longest.isZero() || bound.compareTo(this.longest) < 0) ? bound : this.longest);
	}

	private void join(Duration most) {
		Connection connection = current();
		if (connection != null) {
			Connection own = DriverConnection.of(connection);
			int before = bound(connection, most);
			this.connections.add(connection);
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int status) {
					leave(connection, own, before, status != STATUS_COMMITTED);
				}

			});
		}
	}

	/**
	 * Whether the transaction of this thread has a connection of the DataSource. Before
	 * its first statement only a manager of the DataSource has got one.
	 */
	public boolean hasConnection() {
		return current() != null;
	}

	/**
	 * Whether this thread is in a transaction of the DataSource. It is known after a
	 * statement of the transaction.
	 * @throws DataAccessResourceFailureException if the connection is broken
	 */
	public boolean isInTransaction() {
		Connection connection = current();
		try {
			return connection != null && !connection.getAutoCommit();
		}
		catch (SQLException ex) {
			throw new DataAccessResourceFailureException("The connection of a transaction is broken", ex);
		}
	}

	/**
	 * Whether a connection commits each statement by itself, as the pool lends it. Call
	 * it outside of transactions.
	 * @throws org.springframework.dao.DataAccessException if there is no connection
	 */
	public boolean isAutoCommit() {
		// A BoundedDataSource turns autocommit on, so the pool itself is asked.
		Object pool = (this.dataSource instanceof InfrastructureProxy proxy) ? proxy.getWrappedObject()
				: this.dataSource;
		try (Connection connection = ((DataSource) pool).getConnection()) {
			return connection.getAutoCommit();
		}
		catch (SQLException ex) {
			throw new CannotGetJdbcConnectionException("The pool has no connection", ex);
		}
	}

	private @Nullable Connection current() {
		return (TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.getResource(this.dataSource) instanceof ConnectionHolder holder)
						? holder.getConnection() : null;
	}

	private static int bound(Connection connection, Duration most) {
		if (most.isZero()) {
			return -1;
		}
		try {
			return StatementBound.bound(connection, (int) Math.min(most.toMillis(), Integer.MAX_VALUE));
		}
		catch (SQLException ex) {
			throw new DataAccessResourceFailureException("The connection of a transaction is broken", ex);
		}
	}

	/** Usually right before the connection goes back to its pool. */
	private void leave(Connection lent, @Nullable Connection own, int before, boolean failed) {
		if (!this.connections.remove(lent)) {
			// A pool takes no broken one back. Its thread may be about to return it: the
			// pool must not have lent it to others when it is aborted.
			AbortedConnection.of(lent);
		}
		else if (failed && own != null && Standby.answers(own)) {
			// The pool would lend it for as long as it lives.
			AbortedConnection.of(lent, own);
		}
		else {
			unbound(lent, before);
		}
	}

	private static void unbound(Connection connection, int before) {
		try {
			if (before >= 0 && !connection.isClosed()) {
				connection.setNetworkTimeout(Runnable::run, before);
			}
		}
		catch (SQLException ex) {
			logger.debug("A broken connection keeps its time-out.", ex);
		}
	}

	/**
	 * Aborts the connections of all open transactions. The server rolls them back when it
	 * notices. A thread that waits for an answer gets an error.
	 * @return the number of aborted connections
	 */
	public int abort() {
		int aborted = 0;
		for (Connection connection : List.copyOf(this.connections)) {
			if (this.connections.remove(connection)) {
				AbortedConnection.of(connection);
				aborted++;
			}
		}
		return aborted;
	}

}
