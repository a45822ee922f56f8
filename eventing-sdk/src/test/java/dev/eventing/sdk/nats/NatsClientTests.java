package dev.eventing.sdk.nats;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.EventingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

@ExtendWith(OutputCaptureExtension.class)
class NatsClientTests {

	@Test
	void saysOnceThatNoServerAnswersAndWhy(CapturedOutput output) throws IOException {
		int port = freePort();
		NatsOptions options = new NatsOptions(List.of("nats://127.0.0.1:" + port), "test", Duration.ofSeconds(1),
				Duration.ofMillis(1));
		try (NatsClient client = new NatsClient(options)) {
			long threads = 0;
			for (int round = 0; round < 30; round++) {
				assertThat(catchThrowable(client::requireConnected)).isInstanceOf(NatsDisconnectedException.class)
					.hasMessageContainingAll("127.0.0.1:" + port, "Connection refused");
				threads = (round == 5) ? threadsSoFar() : threads;
			}
			assertThat(threadsSoFar() - threads).as("threads made for 24 further tries").isLessThan(12);
			assertThat(said(output)).singleElement()
				.asString()
				.contains("WARN", "127.0.0.1:" + port, "Connection refused");
		}
	}

	@Test
	void triesOnceForAllWhoAskAtOnce() {
		NatsOptions options = new NatsOptions(List.of("nats://127.0.0.1:1"), "test", Duration.ofSeconds(1),
				Duration.ofMinutes(1));
		try (NatsClient client = new NatsClient(options)) {
			Throwable first = catchThrowable(client::requireConnected);
			assertThat(catchThrowable(client::requireConnected)).hasMessage(first.getMessage())
				.cause()
				.isSameAs(first.getCause());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "secret:sesame@127.0.0.1:1", "topsecret@127.0.0.1:1", "nats://secret:sesame@127.0.0.1:1",
			"tls://topsecret@127.0.0.1:1", "secret:ses@me@127.0.0.1:1", "127.0.0.1:1,secret:sesame@127.0.0.1:2" })
	void neverShowsCredentials(String server, CapturedOutput output) {
		NatsOptions options = NatsOptions.of(server);
		assertThat(options.toString()).doesNotContain("secret", "sesame", "me@");
		try (NatsClient client = new NatsClient(options)) {
			assertThat(client.describe()).contains("127.0.0.1:1").doesNotContain("secret", "sesame", "me@");
			Throwable thrown = catchThrowable(client::requireConnected);
			assertThat(thrown).isInstanceOf(EventingException.class);
			assertThat(thrown).hasStackTraceContaining("127.0.0.1:1");
			for (Throwable each = thrown; each != null; each = each.getCause()) {
				assertThat(each.toString()).doesNotContain("secret", "sesame", "me@");
			}
		}
		assertThat(output.getAll()).doesNotContain("secret", "sesame", "me@");
	}

	@Test
	void refusesAServerThatIsNoUrlWithoutItsCredentials() {
		try (NatsClient client = new NatsClient(NatsOptions.of("nats://secret:pa ss@local host:x"))) {
			assertThat(catchThrowable(client::requireConnected)).isInstanceOf(JetStreamConfigurationException.class)
				.hasMessageContainingAll("local host:x", "Consider")
				.hasMessageNotContaining("secret")
				.hasNoCause();
		}
	}

	private static List<String> said(CapturedOutput output) {
		return output.getAll()
			.lines()
			.filter((line) -> line.contains("NatsClient") && !line.contains("DEBUG"))
			.toList();
	}

	/** Each thread has a number of its own. */
	private static long threadsSoFar() {
		return new Thread().getId();
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

}
