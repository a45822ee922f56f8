package dev.eventing.benchmark.peers;

import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.json.JsonMapper;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.ReadModel;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ProjectorPeersIT {

	private static final String STREAM = "changes";

	private static final AccountChanges CHANGES = AccountChanges.of(2_000);

	private static NatsServer nats;

	private static PostgresServer postgres;

	@BeforeAll
	static void startServersAndFillTheStream() throws Exception {
		nats = NatsServer.start();
		postgres = PostgresServer.start();
		JsonMapper json = new JsonMapper();
		try (Connection connection = Nats.connect(nats.url())) {
			connection.jetStreamManagement()
				.addStream(StreamConfiguration.builder().name(STREAM).subjects(STREAM + ".>").build());
			JetStream jetStream = connection.jetStream();
			for (AccountChange change : CHANGES) {
				// The duplicate is what the consumers' tables have to keep out.
				for (String delivery : new String[] { "first", "again" }) {
					Headers headers = new Headers().add("ce-id", change.id().toString())
						.add("ce-tenantid", AccountChange.TENANT)
						.add("ce-type", AccountChanged.TYPE)
						.add("delivery", delivery);
					jetStream.publish(NatsMessage.builder()
						.subject(STREAM + "." + AccountChange.TENANT + "." + AccountChanged.TYPE)
						.headers(headers)
						.data(json.writeValueAsBytes(change.payload()))
						.build());
				}
			}
		}
	}

	@AfterAll
	static void stopServers() {
		nats.close();
		postgres.close();
	}

	static Stream<ProjectorContender> peers() {
		return ServiceLoader.load(ProjectorContender.class).stream().map(ServiceLoader.Provider::get);
	}

	@ParameterizedTest
	@MethodSource("peers")
	void appliesEachEventOnceAndEndsItsThreads(ProjectorContender peer) throws Exception {
		String database = postgres.createDatabase();
		JdbcTemplate jdbc = new JdbcTemplate(postgres.dataSource(database));
		jdbc.execute(ReadModel.CREATE);
		jdbc.execute(ReadModel.FILL.formatted(CHANGES.accounts()));
		ProjectorRound round = new ProjectorRound(nats.url(), STREAM, STREAM + ".*." + AccountChanged.TYPE, database,
				peer.id(), CHANGES.events(), 8);
		try (ProjectorContender.Projection projection = peer.prepare(round)) {
			assertThat(applied(jdbc)).isEmpty();
			projection.run();
			assertThat(applied(jdbc)).isEqualTo(expected());
		}
		// Its own; the server notices a moment later that the others are closed.
		await().untilAsserted(() -> assertThat(connections(jdbc)).isEqualTo(1));
	}

	private static Map<String, Long> applied(JdbcTemplate jdbc) {
		Map<String, Long> balances = new HashMap<>();
		jdbc.query("select account, balance from account where changes > 0", (row) -> {
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
