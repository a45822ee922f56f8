package dev.eventing.sdk.test.server;

import java.time.Duration;
import java.util.Optional;

import dev.eventing.sdk.test.timing.Patience;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.utility.DockerImageName;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("docker")
// A NATS connection's close() declares InterruptedException.
@SuppressWarnings("try")
class NatsContainerIT {

	@BeforeEach
	void needsADockerEngine() {
		Optional<String> obstacle = DockerEngine.obstacle();
		assumeTrue(obstacle.isEmpty(), () -> "Docker engine: " + obstacle.orElse(""));
	}

	@Test
	void answersAJetStreamClientOnceStarted() throws Exception {
		try (NatsContainer container = new NatsContainer()) {
			container.start();
			try (Connection connection = connect(container.url())) {
				addStream(connection);
				assertThat(connection.jetStream().publish("events.counted", new byte[0]).getSeqno()).isEqualTo(1);
				assertThat(connection.getServerInfo().getVersion()).startsWith("2.15.");
			}
		}
	}

	@Test
	void runsTheOldestSupportedServerToo() throws Exception {
		try (NatsContainer container = new NatsContainer(NatsContainer.IMAGE.withTag("2.10"))) {
			container.start();
			try (Connection connection = connect(container.url())) {
				assertThat(connection.getServerInfo().getVersion()).startsWith("2.10.");
			}
		}
	}

	@Test
	void keepsPortAndMessagesOverKillAndRestart() throws Exception {
		try (NatsServer server = ContainerServers.nats()) {
			String url = server.url();
			try (Connection connection = connect(url)) {
				addStream(connection);
				connection.jetStream().publish("events.counted", new byte[0]);
			}
			server.kill();
			server.restart();
			assertThat(server.url()).isEqualTo(url);
			try (Connection connection = connect(url)) {
				assertThat(connection.jetStreamManagement().getStreamInfo("EVENTS").getStreamState().getMsgCount())
					.isEqualTo(1);
			}
		}
	}

	@Test
	void answersNothingWhilePaused() throws Exception {
		try (NatsServer server = ContainerServers.nats(); Connection connection = connect(server.url())) {
			server.pause();
			assertThatExceptionOfType(Exception.class).isThrownBy(() -> connection.flush(Duration.ofMillis(200)));
			server.resume();
			connection.flush(Patience.LONG);
		}
	}

	@Test
	void fallsBackToTheEmbeddedPostgresWithoutAnImage() {
		DockerImageName nowhere = DockerImageName.parse("localhost:1/postgres:18");
		try (PostgresServer server = ContainerServers.postgres(nowhere)) {
			assertThat(server).isInstanceOf(LocalPostgresServer.class);
			assertThat(server.createDatabase()).contains("test_");
		}
	}

	private static void addStream(Connection connection) throws Exception {
		connection.jetStreamManagement()
			.addStream(StreamConfiguration.builder().name("EVENTS").subjects("events.>").build());
	}

	private static Connection connect(String url) throws Exception {
		return Nats.connect(Options.builder().server(url).build());
	}

}
