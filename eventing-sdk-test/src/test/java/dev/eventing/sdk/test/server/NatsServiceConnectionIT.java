package dev.eventing.sdk.test.server;

import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.autoconfigure.NatsConnectionDetails;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("docker")
class NatsServiceConnectionIT {

	private final ApplicationContextRunner contexts = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class));

	@BeforeEach
	void needsADockerEngine() {
		Optional<String> obstacle = DockerEngine.obstacle();
		assumeTrue(obstacle.isEmpty(), () -> "Docker engine: " + obstacle.orElse(""));
	}

	@Test
	void connectsToAContainerThatIsABean() {
		this.contexts.withUserConfiguration(Nats.class)
			.run((context) -> assertThat(servers(context.getBean(NatsConnectionDetails.class)))
				.isEqualTo(context.getBean(NatsContainer.class).url()));
	}

	@Test
	void connectsToAnyContainerOfTheImage() {
		this.contexts.withUserConfiguration(Any.class)
			.run((context) -> assertThat(servers(context.getBean(NatsConnectionDetails.class)))
				.endsWith(":" + context.getBean(GenericContainer.class).getMappedPort(4222)));
	}

	private static String servers(NatsConnectionDetails details) {
		List<String> servers = details.getServers();
		assertThat(servers).hasSize(1);
		return servers.get(0);
	}

	@Configuration(proxyBeanMethods = false)
	static class Nats {

		@Bean
		@ServiceConnection
		NatsContainer nats() {
			return new NatsContainer();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Any {

		@Bean
		@ServiceConnection("nats")
		GenericContainer<?> broker() {
			return new GenericContainer<>("nats:2.15").withCommand("--jetstream").withExposedPorts(4222);
		}

	}

}
