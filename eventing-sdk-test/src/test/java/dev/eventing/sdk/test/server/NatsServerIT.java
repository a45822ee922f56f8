package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;

import dev.eventing.sdk.test.timing.Patience;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

// A NATS connection's close() declares InterruptedException.
@SuppressWarnings("try")
class NatsServerIT {

	@Test
	void keepsPublishedMessagesOverKillAndRestart() throws Exception {
		try (NatsServer server = NatsServer.start()) {
			publish(server, 100);
			int port = server.port();
			server.kill();
			server.restart();
			assertThat(server.port()).isEqualTo(port);
			assertThat(stored(server)).isEqualTo(100);
		}
	}

	@Test
	void keepsPublishedMessagesOverStopAndRestart() throws Exception {
		try (NatsServer server = NatsServer.start()) {
			publish(server, 10);
			server.stop();
			server.restart();
			assertThat(stored(server)).isEqualTo(10);
		}
	}

	@Test
	void answersNothingWhilePaused() throws Exception {
		try (NatsServer server = NatsServer.start()) {
			try (Connection connection = connect(server)) {
				server.pause();
				assertThatExceptionOfType(Exception.class).isThrownBy(() -> connection.flush(Duration.ofMillis(200)));
				server.resume();
				connection.flush(Patience.LONG);
			}
		}
	}

	@Test
	void restartsWhenPaused() {
		try (NatsServer server = NatsServer.start()) {
			server.pause();
			server.restart();
			server.pause();
		}
	}

	@Test
	void leavesNothingBehindWhenClosed() {
		NatsServer server = NatsServer.start();
		Path directory = server.storeDirectory();
		assertThat(directory).isDirectory();
		server.close();
		assertThat(directory).doesNotExist();
		assertThatExceptionOfType(ConnectException.class)
			.isThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), server.port()).close());
	}

	@Test
	void takesMoreConfiguration() throws Exception {
		try (NatsServer server = NatsServer.start(NatsServerBinary.find(), "max_payload: 2048");
				Connection connection = connect(server)) {
			assertThat(connection.getMaxPayload()).isEqualTo(2048);
		}
	}

	@Test
	void saysWhatTheServerSaysWhenItDoesNotStart() {
		assertThatExceptionOfType(ServerFailedException.class)
			.isThrownBy(() -> NatsServer.start(NatsServerBinary.find(), "no_such_setting: {"))
			.withMessageContaining("Parse error");
	}

	private static void publish(NatsServer server, int count) throws Exception {
		try (Connection connection = connect(server)) {
			connection.jetStreamManagement()
				.addStream(StreamConfiguration.builder()
					.name("EVENTS")
					.subjects("events.>")
					.storageType(StorageType.File)
					.build());
			for (int i = 0; i < count; i++) {
				connection.jetStream().publish("events.counted", new byte[] { 1 });
			}
		}
	}

	private static long stored(NatsServer server) throws IOException, InterruptedException, JetStreamApiException {
		try (Connection connection = connect(server)) {
			return connection.jetStreamManagement().getStreamInfo("EVENTS").getStreamState().getMsgCount();
		}
	}

	private static Connection connect(NatsServer server) throws IOException, InterruptedException {
		return Nats.connect(Options.builder().server(server.url()).build());
	}

}
