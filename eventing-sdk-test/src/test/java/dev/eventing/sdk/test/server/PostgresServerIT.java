package dev.eventing.sdk.test.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class PostgresServerIT {

	@Test
	void keepsCommittedRowsOverKillAndRestart() throws Exception {
		try (PostgresServer server = PostgresServer.start()) {
			String database = server.createDatabase();
			int port = server.port();
			execute(server, database, "create table t as select generate_series(1, 1000) as n");
			server.kill();
			server.restart();
			assertThat(server.port()).isEqualTo(port);
			assertThat(query(server, database, "select count(*) from t")).isEqualTo("1000");
		}
	}

	@Test
	void stopsAtOnceWithConnectionsOpenAndKeepsRows() throws Exception {
		try (PostgresServer server = PostgresServer.start(Map.of("fsync", "on"))) {
			String database = server.createDatabase();
			execute(server, database, "create table t as select 1 as n");
			try (Connection open = server.dataSource(database).getConnection()) {
				server.stop();
				assertThat(open.isValid(1)).isFalse();
			}
			server.restart();
			assertThat(query(server, database, "select n from t")).isEqualTo("1");
			assertThat(query(server, database, "show fsync")).isEqualTo("on");
		}
	}

	@Test
	void killsBusyConnectionsWithIt() throws Exception {
		try (PostgresServer server = PostgresServer.start()) {
			ProcessHandle backend;
			// The limit makes this test fail, not hang, when the backend continues.
			String database = server.jdbcUrl() + "&socketTimeout=30";
			try (Connection connection = server.dataSource(database).getConnection();
					Statement statement = connection.createStatement()) {
				ResultSet row = statement.executeQuery("select pg_backend_pid()");
				assertThat(row.next()).isTrue();
				backend = ProcessHandle.of(row.getLong(1)).orElseThrow();
				CompletableFuture<Boolean> busy = CompletableFuture
					.supplyAsync(() -> fails(statement, "do $$ begin loop perform 1; end loop; end $$"));
				await().until(() -> query(server, server.jdbcUrl(),
						"select count(*) from pg_stat_activity where state = 'active' and query like 'do %'")
					.equals("1"));
				server.kill();
				assertThat(backend.isAlive()).isFalse();
				assertThat(busy.get(60, TimeUnit.SECONDS)).isTrue();
			}
		}
	}

	@Test
	void isStartedOnceForAllTests() throws Exception {
		PostgresServer server = TestServers.postgres();
		assertThat(TestServers.postgres()).isSameAs(server);
		assertThat(server.createDatabase()).isNotEqualTo(server.createDatabase());
		assertThat(query(server, server.jdbcUrl(), "show max_connections")).isEqualTo("500");
		assertThat(query(server, server.jdbcUrl(), "show server_version")).startsWith("18.");
	}

	@Test
	void copiesADatabaseAndDropsTheCopyWithItsConnections() throws Exception {
		PostgresServer server = TestServers.postgres();
		String template = server.createDatabase();
		execute(server, template, "create table kept (id int); insert into kept values (7)");
		String copy = server.createDatabase(template);
		assertThat(query(server, copy, "select id from kept")).isEqualTo("7");
		try (Connection open = server.dataSource(copy).getConnection()) {
			assertThat(open.isValid(30)).isTrue();
			server.dropDatabase(copy);
			assertThat(open.isValid(5)).isFalse();
		}
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> query(server, copy, "select 1"));
		server.dropDatabase(copy);
		assertThat(query(server, template, "select id from kept")).isEqualTo("7");
	}

	private static boolean fails(Statement statement, String sql) {
		try {
			statement.execute(sql);
			return false;
		}
		catch (SQLException ex) {
			return true;
		}
	}

	private static void execute(PostgresServer server, String database, String sql) throws SQLException {
		try (Connection connection = server.dataSource(database).getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static String query(PostgresServer server, String database, String sql) throws SQLException {
		try (Connection connection = server.dataSource(database).getConnection();
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(sql)) {
			assertThat(row.next()).isTrue();
			return row.getString(1);
		}
	}

}
