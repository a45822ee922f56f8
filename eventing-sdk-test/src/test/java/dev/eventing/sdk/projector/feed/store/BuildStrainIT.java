package dev.eventing.sdk.projector.feed.store;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.test.server.PostgresServer;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.replication.PGReplicationStream;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class BuildStrainIT {

	private static final String REPLICATION = "&replication=database&preferQueryMode=simple&assumeMinServerVersion=14";

	private static final String LAGS = "select max(replay_lag) > interval '2 s' from pg_stat_replication";

	@Test
	void takesNoReaderOfChangesForAReplicaThatLags() throws SQLException {
		try (PostgresServer postgres = PostgresServer.start(Map.of("wal_level", "logical"))) {
			String url = postgres.createDatabase();
			JdbcTemplate jdbc = new JdbcTemplate(postgres.dataSource(url));
			jdbc.execute("create table notes (id integer)");
			jdbc.execute("create publication noted for table notes");
			jdbc.queryForList("select pg_create_logical_replication_slot('reader', 'pgoutput')");
			try (Connection connection = DriverManager.getConnection(url + REPLICATION);
					PGReplicationStream changes = read(connection)) {
				jdbc.execute("insert into notes values (1)");
				await().until(() -> hasCommit(changes));
				confirmLate(changes);
				await().until(() -> Boolean.TRUE.equals(jdbc.queryForObject(LAGS, Boolean.class)));
				assertThat(BuildStrain.ofReplicas(jdbc).get()).isNull();
			}
		}
	}

	private static PGReplicationStream read(Connection connection) throws SQLException {
		return connection.unwrap(PGConnection.class)
			.getReplicationAPI()
			.replicationStream()
			.logical()
			.withSlotName("reader")
			.withSlotOption("proto_version", 1)
			.withSlotOption("publication_names", "noted")
			.withStatusInterval(60, TimeUnit.SECONDS)
			.withAutomaticFlush(false)
			.start();
	}

	private static boolean hasCommit(PGReplicationStream changes) throws SQLException {
		for (ByteBuffer message = changes.readPending(); message != null; message = changes.readPending()) {
			if (message.get() == 'C') {
				return true;
			}
		}
		return false;
	}

	private static void confirmLate(PGReplicationStream changes) throws SQLException {
		await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
		changes.setAppliedLSN(changes.getLastReceiveLSN());
		changes.setFlushedLSN(changes.getLastReceiveLSN());
		changes.forceUpdateStatus();
	}

}
