package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.eventing.sdk.fixture.SilentStreams;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.timing.Stopwatch;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assumptions.assumeThat;

class StreamsIT {

	@ParameterizedTest
	@CsvSource({ "*.order.>, 'order.*.>', acme.order.>", "*.>, as in 'orders.*.placed', acme.>",
			"*.*.placed, as in 'orders.*.placed', acme.*.placed" })
	void saysWhereTheTenantBelongsWhenTheServerRefusesASubjectThatBeginsWithIt(String subject, String second,
			String listed) throws Exception {
		try (NatsServer server = NatsServer.start(); NatsClient client = new NatsClient(NatsOptions.of(server.url()))) {
			assumeThat(refusesLeadingWildcards(server)).as("the server refuses such subjects, as 2.11 does").isTrue();
			Streams streams = new Streams(client, List.of(new StreamSpec("ORDERS", List.of(subject), 1, null)));
			assertThatExceptionOfType(JetStreamConfigurationException.class).isThrownBy(streams::declareAll)
				.withMessageContaining("Stream 'ORDERS' cannot be declared with subjects [" + subject + "]: '" + subject
						+ "' begins with a wildcard")
				.withMessageContaining("Consider the tenant as the second token")
				.withMessageContaining(second)
				.withMessageContaining("'" + listed + "'")
				.withMessageNotContaining("no-ack");
		}
	}

	@Test
	void declaresASubjectThatHasTheTenantSecond() {
		try (NatsServer server = NatsServer.start(); NatsClient client = new NatsClient(NatsOptions.of(server.url()))) {
			Streams streams = new Streams(client, List.of(new StreamSpec("ORDERS", List.of("order.*.>"), 1, null)));
			streams.declareAll();
			assertThat(streams.carrying("order.acme.placed").subjects())
				.containsExactly(entry("ORDERS", List.of("order.*.>")));
		}
	}

	@Test
	void aDeclaredStreamThatDoesNotAnswerHoldsUpOnlyThoseThatNeedIt() {
		List<StreamSpec> declared = List.of(new StreamSpec("SILENT", List.of("silent.>"), 1, null),
				new StreamSpec("ORDERS", List.of("order.*.>"), 1, null));
		try (NatsServer server = SilentStreams.on("SILENT");
				NatsClient client = new NatsClient(NatsOptions.of(server.url()))) {
			Streams streams = new Streams(client, declared);
			Stopwatch.time(() -> {
				assertThat(streams.carrying("order.>").subjects()).containsOnlyKeys("ORDERS");
				for (int time = 0; time < 100; time++) {
					streams.declare(List.of("order.acme.placed"));
				}
			}).assertWithin(Duration.ofMillis(1500));
			assertThatExceptionOfType(NatsUnavailableException.class)
				.isThrownBy(() -> streams.declare(List.of("silent.acme")))
				.withMessageContaining("'SILENT'");
			assertThatExceptionOfType(NatsUnavailableException.class).isThrownBy(streams::declareAll);
		}
	}

	@Test
	void streamsThatDoNotAnswerAreAskedSideBySide() throws Exception {
		String[] silent = IntStream.range(0, 10).mapToObj((number) -> "silent" + number).toArray(String[]::new);
		try (NatsServer server = SilentStreams.on(silent);
				NatsClient client = new NatsClient(NatsOptions.of(server.url()))) {
			for (String name : silent) {
				create(server, name, "order." + name);
			}
			create(server, "taking", "order.acme");
			Stopwatch watch = Stopwatch.start();
			Streams.Carrying carrying = new Streams(client, List.of()).carrying("order.>");
			watch.stop().assertWithin(Duration.ofSeconds(4));
			assertThat(carrying.subjects()).containsOnlyKeys("taking");
			assertThat(carrying.unanswered()).isInstanceOf(NatsUnavailableException.class)
				.hasMessageContaining("'silent");
		}
	}

	private static void create(NatsServer server, String name, String subject) throws Exception {
		try (Connection connection = Nats.connect(server.url())) {
			connection.jetStreamManagement()
				.addStream(StreamConfiguration.builder()
					.name(name)
					.subjects(subject)
					.storageType(StorageType.Memory)
					.build());
		}
	}

	private static boolean refusesLeadingWildcards(NatsServer server) throws Exception {
		try (Connection connection = Nats.connect(server.url())) {
			return connection.getServerInfo().isSameOrNewerThanVersion("2.11.0");
		}
	}

}
