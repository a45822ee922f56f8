package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

/**
 * One connection for statements that must not wait for a free connection of the
 * application's pool. If the DataSource is a HikariCP pool with a URL, the connection is
 * opened outside the pool, with the pool's settings, and what its provider of credentials
 * gives at that moment. Otherwise, and as long as there is none outside the pool, it is
 * taken from the DataSource at the first use, kept, and returned in its former state. A
 * connection is replaced when a statement fails. Each statement, each connection attempt
 * and each wait for the pool has a time limit. The connection is in autocommit mode.
 * Thread-safe: callers take turns.
 */
public final class OwnConnection implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(OwnConnection.class);

	private static final String CONNECTION_DOES_NOT_EXIST = "08003";

	private final SQLExceptionTranslator errors = new SQLExceptionSubclassTranslator();

	private final ReentrantLock lock = new ReentrantLock();

	private final DataSource dataSource;

	private final StatementBound bound;

	private final ConnectionSupply supply;

	private @Nullable LentConnection current;

	/**
	 * Opens no connection yet.
	 * @param longest the limit for one statement, including the network round trip. Half
	 * of it limits the wait for a connection outside the pool, and that for one of the
	 * pool
	 * @param purpose the application name that the server shows
	 */
	public OwnConnection(DataSource dataSource, Duration longest, String purpose) {
		this.dataSource = dataSource;
		this.bound = StatementBound.within(longest);
		this.supply = new ConnectionSupply(dataSource, this.bound.networkMillis(), purpose);
	}

	/**
	 * Runs a statement on the connection. Opens a connection if there is none.
	 * @param task what the statement does, for error texts
	 * @throws DataAccessException if it fails; then the next statement gets a new
	 * connection
	 */
	public <T> T execute(String task, String sql, Work<T> work) {
		lock(task);
		try (PreparedStatement statement = this.bound.applyTo(open().prepareStatement(sql))) {
			return work.on(statement);
		}
		catch (SQLException ex) {
			discard();
			DataAccessException translated = this.errors.translate(task, sql, ex);
			throw (translated != null) ? translated : new UncategorizedSQLException(task, sql, ex);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void lock(String task) {
		try {
			if (!this.lock.tryLock(this.bound.networkMillis(), TimeUnit.MILLISECONDS)) {
				throw new QueryTimeoutException(
						"Could not " + task + ": the connection was busy with another statement for too long");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new DataAccessResourceFailureException("Interrupted before it could " + task, ex);
		}
	}

	private Connection open() throws SQLException {
		if (PoolSettings.isClosed(this.dataSource)) {
			// the application is closed: a lease that it still renewed would block other
			// nodes
			throw new SQLException("The connection pool is closed.", CONNECTION_DOES_NOT_EXIST);
		}
		LentConnection open = this.current;
		if (open == null) {
			open = this.supply.get();
		}
		else if (open.ofPool()) {
			open = instead(open);
		}
		this.current = open;
		return open.connection();
	}

	private LentConnection instead(LentConnection ofPool) {
		LentConnection outside = this.supply.instead();
		if (outside == null) {
			return ofPool;
		}
		giveBack(ofPool);
		return outside;
	}

	private static void giveBack(LentConnection lent) {
		try {
			lent.close();
		}
		catch (SQLException ex) {
			logger.debug("The connection is broken: the server has closed it, or will do so.", ex);
		}
	}

	private void discard() {
		LentConnection broken = this.current;
		this.current = null;
		if (broken != null) {
			try (Connection aborted = broken.connection()) {
				aborted.abort(Runnable::run);
			}
			catch (SQLException ex) {
				// the connection is broken, which is why it is discarded
			}
		}
	}

	/** Closes the connection; the next statement opens another one. */
	@Override
	public void close() {
		lock("close the connection");
		try {
			this.supply.rest();
			LentConnection closed = this.current;
			this.current = null;
			if (closed != null) {
				giveBack(closed);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The work on a prepared statement. */
	public interface Work<T> {

		T on(PreparedStatement statement) throws SQLException;

	}

}
