package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A server that says who it is, and then hangs up. */
class NatsProbeTest {

	@Test
	void cannotAskAServerThatRequiresTls() throws IOException {
		assertThat(answers("\"jetstream\":true,\"tls_required\":true")).isTrue();
		assertThat(answers("\"tls_required\":true")).isFalse();
	}

	@Test
	void cannotAskAServerThatRequiresCredentials() throws IOException {
		assertThat(answers("\"jetstream\":true,\"auth_required\":true")).isTrue();
		assertThat(answers("\"auth_required\":true")).isFalse();
	}

	@Test
	void asksAnyOther() throws IOException {
		assertThat(answers("\"jetstream\":true,\"tls_available\":true")).isFalse();
	}

	private static boolean answers(String more) throws IOException {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			CompletableFuture<Void> said = CompletableFuture.runAsync(() -> say(server, more));
			boolean answers = new NatsProbe("127.0.0.1", server.getLocalPort(), "one").answers();
			said.join();
			return answers;
		}
	}

	private static void say(ServerSocket server, String more) {
		String info = "INFO {\"server_name\":\"one\"," + more + "}\r\n";
		try (Socket client = server.accept()) {
			client.getOutputStream().write(info.getBytes(StandardCharsets.US_ASCII));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
