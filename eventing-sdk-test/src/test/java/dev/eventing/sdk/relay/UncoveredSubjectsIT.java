package dev.eventing.sdk.relay;

import java.io.IOException;

import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsOptions;
import dev.eventing.sdk.nats.StreamTails;
import dev.eventing.sdk.test.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Which subjects are known to be carried by no stream. */
class UncoveredSubjectsIT {

	@Test
	void knowsNothingOfSubjectsWhileNoStreamIsThereForEventsOfAnyRelay() throws Exception {
		try (NatsServer server = NatsServer.start();
				NatsClient client = new NatsClient(NatsOptions.of(server.url()));
				Connection connection = Nats.connect(server.url())) {
			UncoveredSubjects uncovered = new UncoveredSubjects(new StreamTails(client),
					RelayFilters.of(RelayOptions.named("all")));
			addStream(connection, "letters", "dlq.>");
			addStream(connection, "KV_settings", "$KV.settings.>");
			assertThat(uncovered.contains("order.globex.Ordered")).isFalse();
			addStream(connection, "orders", "order.acme.>");
			await().until(() -> uncovered.contains("order.globex.Ordered"));
			assertThat(uncovered.contains("order.acme.Ordered")).isFalse();
		}
	}

	private static void addStream(Connection connection, String name, String subject)
			throws IOException, JetStreamApiException {
		connection.jetStreamManagement().addStream(StreamConfiguration.builder().name(name).subjects(subject).build());
	}

}
