package dev.eventing.benchmark.peers;

import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.benchmark.contender.RebuildContender;
import dev.eventing.sdk.test.server.PostgresServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class RebuildPeersIT {

	private static final AccountChanges CHANGES = AccountChanges.of(2_000);

	private static PostgresServer postgres;

	@BeforeAll
	static void startServer() {
		postgres = PostgresServer.start();
	}

	@AfterAll
	static void stopServer() {
		postgres.close();
	}

	static Stream<RebuildContender> peers() {
		return ServiceLoader.load(RebuildContender.class).stream().map(ServiceLoader.Provider::get);
	}

	@ParameterizedTest
	@MethodSource("peers")
	void emptiesTheReadModelAndAppliesEachEventOnce(RebuildContender peer) throws Exception {
		String database = postgres.createDatabase();
		JdbcTemplate jdbc = new JdbcTemplate(postgres.dataSource(database));
		jdbc.execute(ReadModel.CREATE);
		jdbc.execute(ReadModel.FILL.formatted(CHANGES.accounts()));
		ProjectorRound round = new ProjectorRound("", "", "", database, peer.id(), CHANGES.events(), 8);
		try (RebuildContender.Rebuild rebuild = peer.prepare(round)) {
			assertThat(rows(jdbc)).hasSize(CHANGES.accounts());
			rebuild.begin();
			assertThat(rows(jdbc)).isEmpty();
			rebuild.run();
			assertThat(rows(jdbc)).isEqualTo(expected());
		}
		// Its own; the server notices a moment later that the others are closed.
		await().untilAsserted(() -> assertThat(connections(jdbc)).isEqualTo(1));
	}

	private static Map<String, Long> rows(JdbcTemplate jdbc) {
		Map<String, Long> balances = new HashMap<>();
		jdbc.query("select account, balance from account", (row) -> {
			balances.put(row.getString(1), row.getLong(2));
		});
		return balances;
	}

	private static Map<String, Long> expected() {
		Map<String, Long> balances = new HashMap<>();
		CHANGES.forEach((change) -> balances.merge(change.streamId(), change.payload().amount(), Long::sum));
		return balances;
	}

	private static long connections(JdbcTemplate jdbc) {
		Long connections = jdbc
			.queryForObject("select count(*) from pg_stat_activity where datname = current_database()", Long.class);
		return (connections != null) ? connections : 0;
	}

}
