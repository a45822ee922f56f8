package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

/**
 * One connection for statements that must not wait for a free connection of the
 * application's pool. If the DataSource is a HikariCP pool with a URL, the connection is
 * opened outside the pool, with the pool's settings. Otherwise it is taken from the
 * DataSource at the first use, kept, and returned in its former state. A connection is
 * replaced when a statement fails. Each statement and each connection attempt has a time
 * limit. The connection is in autocommit mode. Thread-safe: callers take turns.
 */
public final class OwnConnection implements AutoCloseable {

	private static final String CONNECTION_DOES_NOT_EXIST = "08003";

	private final SQLExceptionTranslator errors = new SQLExceptionSubclassTranslator();

	private final ReentrantLock lock = new ReentrantLock();

	private final DataSource dataSource;

	private final StatementBound bound;

	private final String purpose;

	private @Nullable Connection connection;

	/** The state of the connection before it was borrowed. */
	private @Nullable FormerState before;

	/**
	 * Opens no connection yet.
	 * @param longest the limit for one statement, including the network round trip, and
	 * for opening the connection, where the driver counts whole seconds
	 * @param purpose the application name that the server shows
	 */
	public OwnConnection(DataSource dataSource, Duration longest, String purpose) {
		this.dataSource = dataSource;
		this.bound = StatementBound.within(longest);
		this.purpose = purpose;
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
		Connection open = this.connection;
		if (open == null) {
			PoolSettings settings = PoolSettings.of(this.dataSource);
			open = (settings != null) ? connect(settings) : this.dataSource.getConnection();
			this.connection = open;
			this.before = null;
			this.before = FormerState.borrow(open, this.bound.networkMillis());
		}
		return open;
	}

	private Connection connect(PoolSettings settings) throws SQLException {
		Properties properties = settings.properties();
		// 0 would mean no limit
		String seconds = String.valueOf(Math.max(1, this.bound.networkMillis() / 1000));
		// Properties of PostgreSQL's driver. The same parameters in the URL take
		// precedence.
		for (String wait : new String[] { "connectTimeout", "loginTimeout", "socketTimeout" }) {
			properties.setProperty(wait, seconds);
		}
		properties.setProperty("tcpKeepAlive", "true");
		properties.setProperty("ApplicationName", this.purpose);
		Connection opened = DriverManager.getConnection(settings.url(), properties);
		if (settings.initSql() != null) {
			try (Statement statement = opened.createStatement()) {
				statement.execute(settings.initSql());
			}
			catch (SQLException ex) {
				opened.close();
				throw ex;
			}
		}
		return opened;
	}

	private void discard() {
		Connection broken = this.connection;
		this.connection = null;
		if (broken != null) {
			try (broken) {
				broken.abort(Runnable::run);
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
		try (Connection closed = this.connection) {
			this.connection = null;
			FormerState former = this.before;
			if (closed != null && former != null) {
				former.restore(closed);
			}
		}
		catch (SQLException ex) {
			// the connection is broken: the server has closed it, or will do so
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
