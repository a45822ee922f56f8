package dev.eventing.benchmark.peers;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.stream.Stream;

import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.eventing.benchmark.contender.OutboxEvent;
import dev.eventing.benchmark.contender.RelayContender;
import dev.eventing.benchmark.contender.RelayRound;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class RelayPeersIT {

	private static final int BACKLOG = 300;

	private static final int APPENDED = 100;

	private static final int STREAMS = 20;

	private static NatsServer nats;

	private static PostgresServer postgres;

	@BeforeAll
	static void startServers() {
		nats = NatsServer.start();
		postgres = PostgresServer.start(Map.of("wal_level", "logical"));
	}

	@AfterAll
	static void stopServers() {
		nats.close();
		postgres.close();
	}

	static Stream<RelayContender> peers() {
		return ServiceLoader.load(RelayContender.class).stream().map(ServiceLoader.Provider::get);
	}

	@AfterEach
	void deleteTheStream() throws Exception {
		try (Connection connection = Nats.connect(nats.url())) {
			JetStreamManagement management = connection.jetStreamManagement();
			for (String stream : management.getStreamNames()) {
				management.deleteStream(stream);
			}
		}
	}

	@ParameterizedTest
	@MethodSource("peers")
	void publishesABacklogAndWhatIsAppendedLaterInTheOrderOfEachStream(RelayContender peer) throws Exception {
		String name = peer.id();
		String database = postgres.createDatabase();
		List<OutboxEvent> events = events();
		try (Connection connection = Nats.connect(nats.url())) {
			JetStreamManagement management = connection.jetStreamManagement();
			management.addStream(StreamConfiguration.builder().name(name).subjects(OutboxEvent.SUBJECT).build());
			RelayRound round = new RelayRound(nats.url(), name, database, name, 8);
			try (RelayContender.Publication publication = peer.prepare(round)) {
				publication.fill(events.subList(0, BACKLOG));
				assertThat(stored(management, name)).isZero();
				publication.start();
				publication.append(events.subList(BACKLOG, BACKLOG + APPENDED));
				await().until(() -> stored(management, name) >= events.size());
			}
			assertThat(byStream(management, name)).isEqualTo(byStream(events));
		}
		assertThat(slots(database)).isZero();
	}

	private static List<OutboxEvent> events() {
		List<OutboxEvent> events = new ArrayList<>();
		for (int number = 0; number < BACKLOG + APPENDED; number++) {
			long version = 1L + number / STREAMS;
			String account = "account-" + number % STREAMS;
			events.add(new OutboxEvent(UUID.randomUUID(), account, version,
					"{\"account\": \"%s\", \"change\": %d}".formatted(account, version)));
		}
		return events;
	}

	private static long stored(JetStreamManagement management, String stream) throws Exception {
		return management.getStreamInfo(stream).getStreamState().getMsgCount();
	}

	private static Map<String, List<String>> byStream(List<OutboxEvent> events) {
		Map<String, List<String>> byStream = new HashMap<>();
		events.forEach((event) -> byStream.computeIfAbsent(event.streamId(), (id) -> new ArrayList<>())
			.add(event.id().toString()));
		return byStream;
	}

	private static Map<String, List<String>> byStream(JetStreamManagement management, String stream) throws Exception {
		Map<String, List<String>> byStream = new HashMap<>();
		long last = management.getStreamInfo(stream).getStreamState().getLastSequence();
		for (long sequence = 1; sequence <= last; sequence++) {
			MessageInfo message = management.getMessage(stream, sequence);
			String json = new String(message.getData(), StandardCharsets.UTF_8);
			String account = json.replaceAll(".*(account-\\d+).*", "$1");
			String id = String.valueOf(message.getHeaders().getFirst("Nats-Msg-Id"));
			byStream.computeIfAbsent(account, (key) -> new ArrayList<>()).add(id.substring(id.length() - 36));
		}
		return byStream;
	}

	private static long slots(String database) {
		Long slots = new JdbcTemplate(postgres.dataSource(database))
			.queryForObject("select count(*) from pg_replication_slots", Long.class);
		return (slots != null) ? slots : 0;
	}

}
