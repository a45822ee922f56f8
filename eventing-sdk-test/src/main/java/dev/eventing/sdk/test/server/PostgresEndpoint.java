package dev.eventing.sdk.test.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.UUID;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** The address of a PostgreSQL server for tests, and queries to it. */
record PostgresEndpoint(String host, int port) {

	static final String USER = "postgres";

	/**
	 * Spring keeps 32 contexts of tests. Each has a pool, of ten connections as a rule,
	 * and the SDK's own connections.
	 */
	static final int CONNECTIONS = 500;

	static DataSource dataSource(String jdbcUrl) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(jdbcUrl);
		return dataSource;
	}

	String jdbcUrl() {
		return jdbcUrl("postgres");
	}

	/** The name of the database that a JDBC URL leads to. */
	static String database(String jdbcUrl) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(jdbcUrl);
		return Objects.requireNonNull(dataSource.getDatabaseName());
	}

	String createDatabase(String template) {
		String name = "test_" + UUID.randomUUID().toString().replace("-", "");
		execute(name, (connection) -> creation(name, template, connection));
		return jdbcUrl(name);
	}

	/**
	 * The template's files are copied as they are, which costs a good part less than to
	 * read, log and write each of their pages.
	 */
	private static String creation(String name, String template, Connection connection) throws SQLException {
		String command = "create database \"%s\" template \"%s\"".formatted(name, template);
		boolean hasStrategies = connection.getMetaData().getDatabaseMajorVersion() >= 15;
		return hasStrategies ? command + " strategy file_copy" : command;
	}

	void dropDatabase(String name) {
		execute(name, (connection) -> "drop database if exists \"%s\" with (force)".formatted(name));
	}

	private void execute(String database, Statements command) {
		try (Connection connection = dataSource(jdbcUrl()).getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(command.on(connection));
		}
		catch (SQLException ex) {
			throw new ServerFailedException("Database '" + database + "' cannot be created or dropped", ex);
		}
	}

	/**
	 * Whether a server accepts connections here.
	 * @param dataDirectory the data directory that it must have, or {@code null} for any
	 */
	boolean answers(@Nullable String dataDirectory) {
		try (Connection connection = dataSource(jdbcUrl() + "&connectTimeout=2&socketTimeout=5").getConnection();
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("show data_directory")) {
			return row.next() && (dataDirectory == null || dataDirectory.equals(row.getString(1)));
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private String jdbcUrl(String database) {
		return "jdbc:postgresql://" + this.host + ":" + this.port + "/" + database + "?user=" + USER;
	}

	/** A command, in the words of the server that is to run it. */
	private interface Statements {

		String on(Connection connection) throws SQLException;

	}

}
