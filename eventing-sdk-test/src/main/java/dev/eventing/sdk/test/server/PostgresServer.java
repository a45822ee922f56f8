package dev.eventing.sdk.test.server;

import java.util.Map;

import javax.sql.DataSource;

/**
 * A PostgreSQL server for one test run. It listens on loopback only. It keeps its port
 * and its data over {@link #kill()}, {@link #stop()} and {@link #restart()}.
 * {@link #close()} ends it and deletes the data. If this JVM crashes, the server ends
 * within seconds.
 *
 * <p>
 * Start and stop it from one thread only. Any number of threads may use it.
 */
public interface PostgresServer extends AutoCloseable {

	/**
	 * Starts a server that does not wait for the disk: commits survive {@link #kill()},
	 * but not a power failure.
	 * @throws ServerFailedException if it does not start
	 */
	static PostgresServer start() {
		return start(Map.of());
	}

	/**
	 * Starts a server with additional settings, such as {@code fsync} = {@code on}.
	 * @param settings add to, or replace, the defaults for tests
	 * @throws ServerFailedException if it does not start
	 */
	static PostgresServer start(Map<String, String> settings) {
		return LocalPostgresServer.start(settings);
	}

	/**
	 * The JDBC URL of the default database, including the user: sufficient for a
	 * {@code DriverManager}.
	 */
	String jdbcUrl();

	/** The name of a superuser without a password. */
	String username();

	/** The port on loopback; it stays the same over restarts. */
	int port();

	/**
	 * Creates an empty database.
	 * @return its JDBC URL, including the user
	 */
	String createDatabase();

	/**
	 * Creates a database as a copy of another one, which is quicker than to create its
	 * tables again.
	 * @param template the JDBC URL of the other one, to which nothing may be connected
	 * @return the copy's JDBC URL, including the user
	 */
	String createDatabase(String template);

	/**
	 * Drops a database, and ends the connections to it. Nothing happens if there is no
	 * such database.
	 * @param jdbcUrl the URL that {@link #createDatabase()} returned
	 */
	void dropDatabase(String jdbcUrl);

	/** A DataSource without a pool: it opens a new connection for each call. */
	DataSource dataSource(String jdbcUrl);

	/** Kills the server: open transactions are lost, committed ones are not. */
	void kill();

	/**
	 * Shuts the server down regularly. Closes open connections without waiting for them.
	 */
	void stop();

	/**
	 * Starts the server again with the same port and data. Stops it first if it runs.
	 * Returns when it accepts connections.
	 */
	void restart();

	/** Ends the server and deletes its data. */
	@Override
	void close();

}
