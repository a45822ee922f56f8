package dev.eventing.sdk.nats;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.fixture.NatsUsers;
import dev.eventing.sdk.nats.Durables.StreamFloor;
import dev.eventing.sdk.test.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rewinds a durable on servers that do it, refuse it or do not answer, and finds to
 * where.
 */
class DurablesIT {

	private static final String STREAM = "ORDERS";

	private static final DurableSpec SPEC = new DurableSpec(ProjectorId.of("orders"), STREAM, "orders-consumer",
			Set.of("orders.>"), Duration.ofSeconds(30), 100, true);

	@Test
	void rewindsADurableToBeforeItsStart() throws Exception {
		try (NatsServer server = server(RetentionPolicy.Limits); NatsClient client = client(server)) {
			Durables durables = new Durables(client);
			startBehind(durables, 7);
			assertThat(durables.rewind(SPEC, 8)).isTrue();
			assertThat(state(durables).floor()).isEqualTo(8);
			assertThat(durables.rewind(SPEC, 3)).isTrue();
			assertThat(state(durables).floor()).isEqualTo(3);
			assertThat(state(durables).pending()).isEqualTo(7);
		}
	}

	/** One half of what rewinds a durable to before its start. */
	@Test
	void doesNotAskForAResetToBeforeTheStartOfADurable() throws Exception {
		try (NatsServer server = server(RetentionPolicy.Limits); NatsClient client = client(server)) {
			startBehind(new Durables(client), 7);
			ConsumerInfo durable = client.management().getConsumerInfo(STREAM, SPEC.name());
			assertThat(durable.getConsumerConfiguration().getStartSequence()).isEqualTo(8);
			DurableReset reset = new DurableReset(client);
			assertThat(reset.isPossible(durable, 6)).isFalse();
			assertThat(reset.isPossible(durable, 7)).isEqualTo(resets(client));
		}
	}

	/** The other half: the server refuses it, if it is asked all the same. */
	@Test
	void learnsThatAServerDoesNotResetADurableToBeforeItsStart() throws Exception {
		try (NatsServer server = server(RetentionPolicy.Limits); NatsClient client = client(server)) {
			Durables durables = new Durables(client);
			startBehind(durables, 7);
			assertThat(DurableReset.tryTo(client.management(), SPEC, 3)).isFalse();
			assertThat(state(durables).floor()).isEqualTo(7);
			boolean resets = resets(client);
			assertThat(DurableReset.tryTo(client.management(), SPEC, 8)).isEqualTo(resets);
			assertThat(state(durables).floor()).isEqualTo(resets ? 8 : 7);
		}
	}

	private static boolean resets(NatsClient client) {
		return client.connection().getServerInfo().isSameOrNewerThanVersion("2.14.0");
	}

	@Test
	void leavesADurableWhereItIsIfItsStreamKeepsNothingForANewOne() throws Exception {
		try (NatsServer server = server(RetentionPolicy.Interest); NatsClient client = client(server)) {
			Durables durables = new Durables(client);
			startBehind(durables, 7);
			assertThat(durables.rewind(SPEC, 3)).isFalse();
			assertThat(state(durables).floor()).isEqualTo(7);
		}
	}

	@Test
	void makesADurableAnewThatTheServerDoesNotReset() throws Exception {
		// a server of a cluster that is being upgraded does not know the request
		try (NatsServer server = NatsUsers.unnamed(NatsUsers.denied("$JS.API.CONSUMER.RESET.>")).start()) {
			fill(server, RetentionPolicy.Limits);
			try (NatsClient client = client(server)) {
				Durables durables = new Durables(client);
				durables.reconcile(SPEC, null);
				assertThat(durables.rewind(SPEC, 3)).isTrue();
				assertThat(state(durables).floor()).isEqualTo(3);
				assertThat(client.management()
					.getConsumerInfo(STREAM, SPEC.name())
					.getConsumerConfiguration()
					.getDeliverPolicy()).isEqualTo(DeliverPolicy.ByStartSequence);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void keepsWhatAnOperatorSetOnADurableThatIsMadeAnew(boolean fromStart) throws Exception {
		DurableSpec spec = new DurableSpec(ProjectorId.of("orders"), STREAM, "orders-consumer", Set.of("orders.>"),
				Duration.ofSeconds(30), 100, fromStart);
		try (NatsServer server = server(RetentionPolicy.Limits); NatsClient client = client(server)) {
			Durables durables = new Durables(client);
			durables.reconcile(spec, new StreamFloor(7, durables.life(spec).created()));
			ZonedDateTime pausedUntil = ZonedDateTime.now(ZoneOffset.UTC).plusHours(1).truncatedTo(ChronoUnit.SECONDS);
			ConsumerConfiguration before = configuration(client, spec);
			Map<String, String> metadata = new HashMap<>(before.getMetadata());
			metadata.put("owner", "the orders team");
			// a durable cannot be paused by an update
			client.management().deleteConsumer(STREAM, spec.name());
			client.management()
				.addOrUpdateConsumer(STREAM,
						ConsumerConfiguration.builder(before)
							.description("by hand")
							.metadata(metadata)
							.pauseUntil(pausedUntil)
							.maxPullWaiting(77)
							.maxBatch(1000)
							.sampleFrequency("50%")
							.numReplicas(1)
							.headersOnly(true)
							.build());
			assertThat(durables.rewind(spec, 3)).isTrue();
			ConsumerConfiguration after = configuration(client, spec);
			assertThat(after.getStartSequence()).isEqualTo(4);
			assertThat(after.getDescription()).isEqualTo("by hand");
			assertThat(after.getMetadata()).containsEntry("owner", "the orders team");
			assertThat(after.getMaxPullWaiting()).isEqualTo(77);
			assertThat(after.getMaxBatch()).isEqualTo(1000);
			assertThat(after.getSampleFrequency()).startsWith("50");
			assertThat(after.getNumReplicas()).isEqualTo(1);
			assertThat(after.isHeadersOnly()).isFalse();
			if (client.connection().getServerInfo().isSameOrNewerThanVersion("2.11.0")) {
				assertThat(after.getPauseUntil()).isNotNull();
				assertThat(after.getPauseUntil().toInstant()).isEqualTo(pausedUntil.toInstant());
			}
		}
	}

	private static ConsumerConfiguration configuration(NatsClient client, DurableSpec spec) throws Exception {
		return client.management().getConsumerInfo(STREAM, spec.name()).getConsumerConfiguration();
	}

	@Test
	void findsWhereTheStreamStoodAtATime() throws Exception {
		try (NatsServer server = server(RetentionPolicy.Limits); NatsClient client = client(server)) {
			Durables durables = new Durables(client);
			List<Instant> stored = new ArrayList<>();
			for (long sequence = 1; sequence <= 10; sequence++) {
				stored.add(client.management().getMessage(STREAM, sequence).getTime().toInstant());
			}
			client.management().deleteMessage(STREAM, 1);
			client.management().deleteMessage(STREAM, 6);
			assertThat(durables.before(SPEC, Instant.EPOCH, 10)).isBetween(0L, 1L);
			for (int sequence : new int[] { 3, 5, 8, 10 }) {
				assertThat(durables.before(SPEC, stored.get(sequence - 1), 10)).isEqualTo(sequence - 1);
			}
			assertThat(durables.before(SPEC, stored.get(6), 10)).as("after a deleted message").isBetween(5L, 6L);
			assertThat(durables.before(SPEC, stored.get(9).plusNanos(1), 10)).isEqualTo(10);
			assertThat(durables.hasOther(SPEC, new EventPlace(STREAM, 5, stored.get(4)))).isFalse();
			assertThat(durables.hasOther(SPEC, new EventPlace(STREAM, 5, stored.get(3)))).isTrue();
			assertThat(durables.hasOther(SPEC, new EventPlace(STREAM, 6, stored.get(3)))).as("a deleted one").isFalse();
		}
	}

	/** Makes the durable again, as after its loss. */
	private static void startBehind(Durables durables, long floor) {
		Instant created = durables.life(SPEC).created();
		assertThat(durables.reconcile(SPEC, new StreamFloor(floor, created)).floor()).isEqualTo(floor);
	}

	private static DurableState state(Durables durables) {
		return Objects.requireNonNull(durables.find(SPEC));
	}

	private static NatsClient client(NatsServer server) {
		return new NatsClient(NatsOptions.of(server.url()));
	}

	private static NatsServer server(RetentionPolicy retention) throws Exception {
		NatsServer server = NatsServer.start();
		fill(server, retention);
		return server;
	}

	/** Ten events. */
	private static void fill(NatsServer server, RetentionPolicy retention) throws Exception {
		try (Connection connection = Nats.connect(server.url())) {
			connection.jetStreamManagement()
				.addStream(StreamConfiguration.builder()
					.name(STREAM)
					.subjects(List.of("orders.>"))
					.retentionPolicy(retention)
					.build());
			// which keeps the events on a stream that deletes what all have settled
			connection.jetStreamManagement()
				.addOrUpdateConsumer(STREAM, ConsumerConfiguration.builder().durable("other").build());
			for (int event = 1; event <= 10; event++) {
				connection.jetStream().publish("orders.placed", new byte[1]);
			}
		}
	}

}
