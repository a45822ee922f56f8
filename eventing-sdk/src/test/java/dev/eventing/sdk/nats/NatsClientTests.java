package dev.eventing.sdk.nats;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

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

	@Test
	void leavesNoConnectionOpenThatWasBeingOpenedWhenItWasClosed() throws Exception {
		ExecutorService threads = Executors.newCachedThreadPool((task) -> new Thread(task, "of the test"));
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				NatsClient client = new NatsClient(new NatsOptions(List.of("nats://127.0.0.1:" + server.getLocalPort()),
						"test", Duration.ofSeconds(10), Duration.ofMillis(100)))) {
			Future<?> opening = threads.submit(client::requireConnected);
			try (Socket accepted = server.accept()) {
				Future<?> closing = threads.submit(client::close);
				assertThat(catchThrowable(() -> closing.get(200, TimeUnit.MILLISECONDS))).as("it waits")
					.isInstanceOf(TimeoutException.class);
				String info = "INFO {\"server_id\":\"S\",\"version\":\"2.10.0\",\"headers\":true,\"max_payload\":1048576}";
				accepted.getOutputStream().write((info + "\r\n").getBytes(StandardCharsets.US_ASCII));
				accepted.setSoTimeout(5000);
				answerPings(accepted);
				closing.get(5, TimeUnit.SECONDS);
				assertThat(client.isConnected()).isFalse();
				for (Thread thread : Thread.getAllStackTraces().keySet()) {
					if (!before.contains(thread) && !thread.getName().equals("of the test")) {
						thread.join(5000);
						assertThat(thread.isAlive()).as(thread.getName()).isFalse();
					}
				}
				assertThat(opening).satisfiesAnyOf((done) -> assertThat(done).succeedsWithin(Duration.ofSeconds(5)),
						(done) -> assertThat(done).failsWithin(Duration.ofSeconds(5)));
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** Until the client ends the connection, which it does within seconds. */
	private static void answerPings(Socket accepted) throws IOException {
		accepted.setSoTimeout(5000);
		BufferedReader sent = new BufferedReader(
				new InputStreamReader(accepted.getInputStream(), StandardCharsets.US_ASCII));
		try {
			for (String line = sent.readLine(); line != null; line = sent.readLine()) {
				if (line.equals("PING")) {
					accepted.getOutputStream().write("PONG\r\n".getBytes(StandardCharsets.US_ASCII));
				}
			}
		}
		catch (SocketException ex) {
			// ended before it had read all
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "secret:sesame@127.0.0.1:1", "topsecret@127.0.0.1:1", "nats://secret:sesame@127.0.0.1:1",
			"tls://topsecret@127.0.0.1:1", "127.0.0.1:1,secret:sesame@127.0.0.1:2" })
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

	@ParameterizedTest
	@ValueSource(strings = { "nats://secret:pa ss@local host:x", "secret:ses@me@local host:x" })
	void refusesAServerThatIsNoUrlWithoutItsCredentials(String server) {
		assertThat(catchThrowable(() -> NatsOptions.of(server))).isInstanceOf(JetStreamConfigurationException.class)
			.hasMessageContainingAll("local host:x", "Consider")
			.hasMessageNotContainingAny("secret", "ss@", "me@")
			.hasNoCause();
	}

	private static List<String> said(CapturedOutput output) {
		return output.getAll()
			.lines()
			.filter((line) -> line.contains("NatsClient") && !line.contains("DEBUG"))
			.toList();
	}

	/** Each thread has its own number. */
	private static long threadsSoFar() {
		return new Thread().getId();
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

}
