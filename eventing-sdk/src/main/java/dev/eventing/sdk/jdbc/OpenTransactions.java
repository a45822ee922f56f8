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

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The connections of transactions under way, whichever manager began them: none waits for
 * an answer for ever, and all can be given up at once, which also frees a thread that
 * waits for a server that will never answer. Thread-safe.
 */
public final class OpenTransactions {

	private static final Logger logger = LoggerFactory.getLogger(OpenTransactions.class);

	private final DataSource dataSource;

	private final Duration longest;

	private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

	/**
	 * Knows no transaction yet.
	 * @param dataSource whose transactions these are
	 * @param longest how long a statement may be unanswered; zero for no bound
	 */
	public OpenTransactions(DataSource dataSource, Duration longest) {
		this.dataSource = dataSource;
		this.longest = longest;
	}

	/**
	 * Joins the transaction this thread has just begun, until it ends. Does nothing where
	 * its manager shows no connection of the DataSource.
	 * @throws org.springframework.dao.DataAccessException if its connection is broken
	 */
	public void join() {
		join(this.longest);
	}

	/**
	 * The same with a bound of its own.
	 * @param mostly how long a statement takes at most before the server is asked to
	 * cancel it: then it has half a second to come back
	 * @throws org.springframework.dao.DataAccessException if its connection is broken
	 */
	public void joinFor(Duration mostly) {
		Duration bound = Duration.ofMillis(StatementBound.of(mostly).networkMillis());
		join((this.longest.isZero() || bound.compareTo(this.longest) < 0) ? bound : this.longest);
	}

	private void join(Duration most) {
		Connection connection = current();
		if (connection != null) {
			int before = bound(connection, most);
			this.connections.add(connection);
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int status) {
					leave(connection, before);
				}

			});
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

	private void leave(Connection connection, int before) {
		this.connections.remove(connection);
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
	 * Gives up the connections of all transactions under way: these are rolled back, once
	 * the server hears of it, and whoever waits for an answer gets an error.
	 * @return how many that were
	 */
	public int abort() {
		int aborted = 0;
		for (Connection connection : List.copyOf(this.connections)) {
			if (this.connections.remove(connection)) {
				abort(connection);
				aborted++;
			}
		}
		return aborted;
	}

	private static void abort(Connection connection) {
		try {
			connection.abort(Runnable::run);
		}
		catch (SQLException ex) {
			logger.debug("A connection cannot be given up.", ex);
		}
	}

}
