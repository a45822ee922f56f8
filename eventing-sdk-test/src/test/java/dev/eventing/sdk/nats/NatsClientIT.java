package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.NatsServerBinary;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** G9: the log of a connection. */
@ExtendWith(OutputCaptureExtension.class)
class NatsClientIT {

	@Test
	void saysOnceThatItIsLostAndOnceThatItIsBack(CapturedOutput output) {
		try (FaultProxy proxy = FaultProxy.to(TestServers.nats().port());
				NatsClient client = new NatsClient(NatsOptions.of("secret:pass@127.0.0.1:" + proxy.port()))) {
			client.requireConnected();
			await().untilAsserted(() -> assertThat(lines(output, "NATS connection")).hasSize(1));
			proxy.swallow();
			proxy.cut();
			await().until(() -> !client.isConnected());
			Steady.holds(Duration.ofSeconds(2), () -> !client.isConnected());
			await().untilAsserted(() -> assertThat(lines(output, "NATS")).hasSize(2)
				.last()
				.asString()
				.contains("is lost (", "Exception: "));
			proxy.restore();
			await().until(client::isConnected);
			await().untilAsserted(() -> assertThat(lines(output, "NATS")).hasSize(3)
				.last()
				.asString()
				.contains("INFO", "is established"));
			assertThat(output).doesNotContain("secret", "pass");
		}
	}

	/** It answers: what must be corrected is the login. */
	@Test
	void saysThatTheServerRefusesTheLogin(CapturedOutput output) {
		try (NatsServer server = NatsServer.start(NatsServerBinary.find(),
				"authorization: { user: application, password: right }");
				NatsClient client = new NatsClient(NatsOptions.of(server.url()).withUser("application", "wrong"))) {
			assertThatExceptionOfType(NatsUnavailableException.class).isThrownBy(client::requireConnected)
				.withMessageStartingWith("NATS at '" + server.url() + "' refuses the login: ")
				.withMessageEndingWith("Consider the user and password, the token or the credentials file.");
			assertThat(output).contains("refuses the login: ", "It is retried without limit.")
				.doesNotContain("No NATS server answers")
				.doesNotContain("wrong");
		}
	}

	private static List<String> lines(CapturedOutput output, String with) {
		return output.getAll()
			.lines()
			.filter((line) -> line.contains("ConnectionEvents") && line.contains(with))
			.filter((line) -> line.contains("INFO") || line.contains("WARN") || line.contains("ERROR"))
			.toList();
	}

}
