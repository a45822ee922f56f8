package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

/**
 * The time limits of a statement. After the first one the driver asks the server to
 * cancel the statement, which frees its locks. A server that is unreachable cannot cancel
 * it, so after the second limit the driver closes the connection.
 *
 * @param queryMillis the time after which the server is asked to cancel the statement
 * @param networkMillis the time after which the connection is closed
 */
record StatementBound(int queryMillis, int networkMillis) {

	private static final Logger logger = LoggerFactory.getLogger(StatementBound.class);

	static final String DRIVER = "org.postgresql.jdbc.PgStatement";

	/** The time that a cancelled statement has to return. */
	private static final int GRACE_MILLIS = 500;

	/** The grace time is at most this part of the total time: one quarter. */
	private static final int GRACES = 4;

	private static final int SECOND = 1000;

	private static final long MOST_MILLIS = 1_000_000_000;

	/** The statement may take this time. The grace time comes in addition. */
	static StatementBound of(Duration longest) {
		int millis = millis(longest);
		return new StatementBound(millis, millis + GRACE_MILLIS);
	}

	/** The statement may take this time, grace time included. */
	static StatementBound within(Duration longest) {
		int millis = millis(longest);
		return new StatementBound(millis - Math.min(GRACE_MILLIS, millis / GRACES), millis);
	}

	/** Never 0, which would mean no limit. */
	private static int millis(Duration longest) {
		return (int) Math.max(1, Math.min(longest.toMillis(), MOST_MILLIS));
	}

	/**
	 * Sets the limit of a statement. JDBC counts whole seconds; PostgreSQL's driver also
	 * supports milliseconds. With another driver the limit is rounded down to seconds;
	 * below one second only the connection's limit applies.
	 */
	<S extends Statement> S applyTo(S statement) throws SQLException {
		boolean exact = this.queryMillis % SECOND != 0 && applyMillisTo(statement);
		if (!exact && this.queryMillis >= SECOND) {
			statement.setQueryTimeout(this.queryMillis / SECOND);
		}
		return statement;
	}

	/** Calls the driver by reflection: this package is not compiled against it. */
	private boolean applyMillisTo(Statement statement) throws SQLException {
		Class<?> driver = driver();
		if (driver == null || !statement.isWrapperFor(driver)) {
			return false;
		}
		try {
			driver.getMethod("setQueryTimeoutMs", long.class).invoke(statement.unwrap(driver), (long) this.queryMillis);
			return true;
		}
		catch (ReflectiveOperationException ex) {
			logger.trace("The driver counts whole seconds.", ex);
			return false;
		}
	}

	private static @Nullable Class<?> driver() {
		ClassLoader loader = StatementBound.class.getClassLoader();
		return ClassUtils.isPresent(DRIVER, loader) ? ClassUtils.resolveClassName(DRIVER, loader) : null;
	}

	/**
	 * Limits how long the connection waits for an answer, unless it has a shorter limit.
	 * @return the former limit in milliseconds; 0 means none
	 */
	static int bound(Connection connection, int millis) throws SQLException {
		int before = connection.getNetworkTimeout();
		if (before == 0 || before > millis) {
			connection.setNetworkTimeout(Runnable::run, millis);
		}
		return before;
	}

}
