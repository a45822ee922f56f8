package dev.eventing.sdk.test.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** The address of a PostgreSQL server for tests, and queries to it. */
record PostgresEndpoint(String host, int port) {

	static final String USER = "postgres";

	static DataSource dataSource(String jdbcUrl) {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(jdbcUrl);
		return dataSource;
	}

	String jdbcUrl() {
		return jdbcUrl("postgres");
	}

	String createDatabase() {
		String name = "test_" + UUID.randomUUID().toString().replace("-", "");
		try (Connection connection = dataSource(jdbcUrl()).getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("create database " + name);
		}
		catch (SQLException ex) {
			throw new ServerFailedException("Database '" + name + "' cannot be created", ex);
		}
		return jdbcUrl(name);
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

}
