package dev.eventing.sdk.test.server;

import java.util.Map;

import javax.sql.DataSource;

/**
 * A PostgreSQL server that one test run has for itself. It listens on loopback only and
 * keeps its port and its data over {@link #kill()}, {@link #stop()} and
 * {@link #restart()}; {@link #close()} ends it and deletes the data. When this JVM dies
 * without a word the server ends within seconds.
 * <p>
 * Whoever starts or stops it does so from one thread; any number may use it.
 */
public interface PostgresServer extends AutoCloseable {

	/**
	 * Starts a server that does not wait for the disk: what it committed survives
	 * {@link #kill()}, not a power cut.
	 * @throws ServerFailedException when it does not start
	 */
	static PostgresServer start() {
		return start(Map.of());
	}

	/**
	 * Starts a server with settings of its own, such as {@code fsync} = {@code on}.
	 * @param settings what to set beside, or instead of, the defaults for tests
	 * @throws ServerFailedException when it does not start
	 */
	static PostgresServer start(Map<String, String> settings) {
		return LocalPostgresServer.start(settings);
	}

	/**
	 * Connects to the database every server has, with the user in it: enough for a
	 * {@code DriverManager}.
	 */
	String jdbcUrl();

	/** A superuser; it needs no password. */
	String username();

	/** The port on loopback; it stays the same over restarts. */
	int port();

	/**
	 * Creates an empty database.
	 * @return its JDBC URL, with the user in it
	 */
	String createDatabase();

	/** Opens a connection for each call; nothing is pooled. */
	DataSource dataSource(String jdbcUrl);

	/** Ends the server at once: open transactions are lost, committed ones are not. */
	void kill();

	/** Ends the server in good order; open connections are closed, not waited for. */
	void stop();

	/**
	 * Starts the server again, on the same port and data; one that runs is stopped
	 * before. Returns when it accepts connections.
	 */
	void restart();

	/** Ends the server and deletes its data. */
	@Override
	void close();

}
