package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * How long a statement may take. Two times, because one does not do: after the first the
 * driver asks the server to cancel the statement, which frees what it holds there; a
 * server that is out of reach is never asked, so after the second the driver gives the
 * connection up. For whole seconds, as JDBC counts the first.
 */
record StatementBound(int querySeconds, int networkMillis) {

	/** What a cancelled statement has to come back. */
	private static final int GRACE_MILLIS = 500;

	static StatementBound of(Duration longest) {
		int seconds = (int) Math.max(1, Math.min(longest.plusMillis(999).toSeconds(), 1_000_000));
		return new StatementBound(seconds, seconds * 1000 + GRACE_MILLIS);
	}

	<S extends Statement> S applyTo(S statement) throws SQLException {
		statement.setQueryTimeout(this.querySeconds);
		return statement;
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
