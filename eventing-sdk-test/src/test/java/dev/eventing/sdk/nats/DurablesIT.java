package dev.eventing.sdk.nats;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.eventing.sdk.nats.Delivery.Position;
import dev.eventing.sdk.nats.Durables.SavedFloor;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rewinds a durable on servers that do it, refuse it or do not answer, and finds to
 * where.
 */
class DurablesIT {

	private static final String STREAM = "ORDERS";

	private static final DurableSpec SPEC = new DurableSpec("orders", STREAM, "orders-consumer", Set.of("orders.>"),
			Duration.ofSeconds(30), 100, true);

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
		String silent = """
				no_auth_user: application
				authorization: { users: [
				  { user: application, password: any, permissions: { publish: { deny: ["$JS.API.CONSUMER.RESET.>"] } } }
				] }""";
		try (NatsServer server = NatsServer.start(NatsServerBinary.find(), silent)) {
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
			assertThat(durables.hasOther(SPEC, new Position(STREAM, 5, stored.get(4)))).isFalse();
			assertThat(durables.hasOther(SPEC, new Position(STREAM, 5, stored.get(3)))).isTrue();
			assertThat(durables.hasOther(SPEC, new Position(STREAM, 6, stored.get(3)))).as("a deleted one").isFalse();
		}
	}

	/** Makes the durable anew, as after its loss. */
	private static void startBehind(Durables durables, long floor) {
		Instant created = durables.life(SPEC).created();
		assertThat(durables.reconcile(SPEC, new SavedFloor(floor, created)).floor()).isEqualTo(floor);
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
