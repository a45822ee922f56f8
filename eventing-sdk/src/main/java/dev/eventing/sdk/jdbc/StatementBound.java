package dev.eventing.sdk.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * How long a statement may take. Two times, because one does not do: after the first the
 * driver asks the server to cancel the statement, which frees what it holds there; a
 * server that is out of reach is never asked, so after the second the driver gives the
 * connection up.
 *
 * @param queryMillis after this the server is asked to cancel it
 * @param networkMillis after this the connection is given up
 */
record StatementBound(int queryMillis, int networkMillis) {

	private static final Logger logger = LoggerFactory.getLogger(StatementBound.class);

	private static final String DRIVER = "org.postgresql.jdbc.PgStatement";

	/** What a cancelled statement has to come back. */
	private static final int GRACE_MILLIS = 500;

	/** Where there is little time at all, it has this part of it. */
	private static final int GRACES = 4;

	private static final int SECOND = 1000;

	private static final long MOST_MILLIS = 1_000_000_000;

	/** So long, and the grace to come back. */
	static StatementBound of(Duration longest) {
		int millis = millis(longest);
		return new StatementBound(millis, millis + GRACE_MILLIS);
	}

	/** So long with the grace to come back. */
	static StatementBound within(Duration longest) {
		int millis = millis(longest);
		return new StatementBound(millis - Math.min(GRACE_MILLIS, millis / GRACES), millis);
	}

	/** Never 0, which would be for ever. */
	private static int millis(Duration longest) {
		return (int) Math.max(1, Math.min(longest.toMillis(), MOST_MILLIS));
	}

	/**
	 * Bounds a statement. JDBC counts whole seconds, PostgreSQL's driver also others;
	 * where that is not known they are rounded down, and less than one is left to the
	 * connection.
	 */
	<S extends Statement> S applyTo(S statement) throws SQLException {
		boolean exact = this.queryMillis % SECOND != 0 && applyMillisTo(statement);
		if (!exact && this.queryMillis >= SECOND) {
			statement.setQueryTimeout(this.queryMillis / SECOND);
		}
		return statement;
	}

	/** By name: nothing of this package is compiled against the driver. */
	private boolean applyMillisTo(Statement statement) throws SQLException {
		Class<?> driver = driver();
		if (driver == null || !statement.isWrapperFor(driver)) {
			return false;
		}
		try {
			driver.getMethod("setQueryTimeoutMs", long.class).invoke(statement.unwrap(driver), (long) this.queryMillis);
			return true;
		}
		catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException ex) {
			logger.trace("The driver counts whole seconds.", ex);
			return false;
		}
	}

	private static @Nullable Class<?> driver() {
		ClassLoader loader = StatementBound.class.getClassLoader();
		return ClassUtils.isPresent(DRIVER, loader) ? ClassUtils.resolveClassName(DRIVER, loader) : null;
	}

	/**
	 * Bounds how long the connection waits for an answer, unless it is bounded closer.
	 * @return what was set before
	 */
	static int bound(Connection connection, int millis) throws SQLException {
		int before = connection.getNetworkTimeout();
		if (before == 0 || before > millis) {
			connection.setNetworkTimeout(Runnable::run, millis);
		}
		return before;
	}

}
