package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * gives at that moment. Otherwise, and if the server refuses that connection, it is taken
 * from the DataSource at the first use, kept, and returned in its former state. A
 * connection is replaced when a statement fails. Each statement and each connection
 * attempt has a time limit. The connection is in autocommit mode. Thread-safe: callers
 * take turns.
 */
public final class OwnConnection implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(OwnConnection.class);

	private static final String CONNECTION_DOES_NOT_EXIST = "08003";

	/** The class of SQL states for connections that fail, by whatever reason. */
	private static final String CONNECTION = "08";

	/**
	 * The server wants a password, and there is none; or a pooler in front of it has too
	 * many clients, and says so as an error of the protocol, as PgBouncer does.
	 */
	private static final Set<String> REJECTED = Set.of("08004", "08P01");

	/** The server starts or stops: the pool gets no connection either. */
	private static final String SHUTDOWN = "57P";

	private final SQLExceptionTranslator errors = new SQLExceptionSubclassTranslator();

	private final ReentrantLock lock = new ReentrantLock();

	private final DataSource dataSource;

	private final StatementBound bound;

	private final String purpose;

	/** Whether it was logged that the server refuses a connection outside the pool. */
	private final AtomicBoolean refused = new AtomicBoolean();

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
			open = (settings != null) ? connectOrBorrow(settings) : this.dataSource.getConnection();
			this.connection = open;
			this.before = null;
			this.before = FormerState.borrow(open, this.bound.networkMillis());
		}
		return open;
	}

	/**
	 * The pool may have what its settings do not show, such as credentials that rotate,
	 * or all the connections that the role may have.
	 */
	private Connection connectOrBorrow(PoolSettings settings) throws SQLException {
		try {
			return connect(settings);
		}
		catch (SQLException ex) {
			if (!isRefused(ex)) {
				throw ex;
			}
			Connection borrowed = borrow(ex);
			if (this.refused.compareAndSet(false, true)) {
				logger
					.warn("The database refuses the connection '{}' outside the pool ({}), so one of the pool takes its"
							+ " place and is kept. Consider a credentials provider of the pool, or one connection more for"
							+ " the role.", this.purpose, ex.getMessage());
			}
			return borrowed;
		}
	}

	/** One of the pool; if it has none either, the error names the refusal, too. */
	private Connection borrow(SQLException refusal) throws SQLException {
		try {
			return this.dataSource.getConnection();
		}
		catch (SQLException ex) {
			ex.addSuppressed(refusal);
			throw ex;
		}
	}

	/**
	 * The server answers, and lets this connection not in: it knows the credentials no
	 * more, the role may not connect, or there are too many connections.
	 */
	private static boolean isRefused(SQLException failure) {
		String state = failure.getSQLState();
		return state != null
				&& (REJECTED.contains(state) || !(state.startsWith(CONNECTION) || state.startsWith(SHUTDOWN)));
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
