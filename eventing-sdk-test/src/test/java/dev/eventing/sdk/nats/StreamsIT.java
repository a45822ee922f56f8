package dev.eventing.sdk.nats;

import java.util.List;

import dev.eventing.sdk.test.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.Nats;
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

	private static boolean refusesLeadingWildcards(NatsServer server) throws Exception {
		try (Connection connection = Nats.connect(server.url())) {
			return connection.getServerInfo().isSameOrNewerThanVersion("2.11.0");
		}
	}

}
