package dev.eventing.sdk.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.SeparateTransactions;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Whether two DataSources reach one database, by whatever user, address or proxy. Works
 * on the caller's thread, and outside its transactions. Changes nothing.
 */
public final class SameDatabase {

	private static final String POSTGRESQL = "PostgreSQL";

	private SameDatabase() {
	}

	/**
	 * Whether both reach one database. A lock of a database is known in no other one, so
	 * this asks for a random one with both.
	 * @param one reaches a PostgreSQL database
	 * @param other may reach any
	 * @throws org.springframework.dao.DataAccessException if one of them does not answer
	 */
	public static boolean of(DataSource one, DataSource other) {
		if (target(one) == target(other)) {
			return true;
		}
		if (!POSTGRESQL.equals(product(other))) {
			return false;
		}
		long key = ThreadLocalRandom.current().nextLong();
		SeparateTransactions transactions = new SeparateTransactions(one);
		// Not one that only reads: a DataSource may send that to a replica.
		return transactions.write(() -> lock(transactions.dataSource(), key) && !lock(other, key));
	}

	private static boolean lock(DataSource dataSource, long key) {
		// Reads no table. The lock ends with the transaction.
		return Boolean.TRUE.equals(
				new JdbcTemplate(dataSource).queryForObject("select pg_try_advisory_xact_lock(?)", Boolean.class, key));
	}

	private static DataSource target(DataSource dataSource) {
		DataSource target = dataSource;
		while (target instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
			target = delegating.getTargetDataSource();
		}
		return target;
	}

	private static String product(DataSource dataSource) {
		ConnectionCallback<String> product = (connection) -> connection.getMetaData().getDatabaseProductName();
		return String.valueOf(new JdbcTemplate(dataSource).execute(product));
	}

	/**
	 * The name of the database and the address of its server, for messages. Has no
	 * credentials.
	 * @throws org.springframework.dao.DataAccessException if it does not answer
	 */
	public static String name(DataSource dataSource) {
		if (POSTGRESQL.equals(product(dataSource))) {
			return String.valueOf(new JdbcTemplate(dataSource).queryForObject("""
					select quote_literal(current_database())
					       || coalesce(' of ' || host(inet_server_addr()) || ':' || inet_server_port(), '')
					""", String.class));
		}
		ConnectionCallback<String> name = SameDatabase::foreignName;
		return String.valueOf(new JdbcTemplate(dataSource).execute(name));
	}

	private static String foreignName(Connection connection) throws SQLException {
		return "'" + connection.getCatalog() + "' of " + connection.getMetaData().getDatabaseProductName();
	}

}
