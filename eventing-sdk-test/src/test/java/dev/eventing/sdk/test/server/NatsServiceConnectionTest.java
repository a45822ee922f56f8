package dev.eventing.sdk.test.server;

import dev.eventing.sdk.autoconfigure.NatsConnectionDetails;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/** No container is started, so no Docker engine is needed. */
class NatsServiceConnectionTest {

	private final ApplicationContextRunner contexts = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class));

	@Test
	void aBeanNeedsNoName() {
		this.contexts.withUserConfiguration(Nats.class)
			.run((context) -> assertThat(context).hasSingleBean(NatsConnectionDetails.class));
	}

	@Test
	void theImageMayBeOfAMirror() {
		this.contexts.withUserConfiguration(Mirrored.class)
			.run((context) -> assertThat(context).hasSingleBean(NatsConnectionDetails.class));
	}

	@Test
	void aBeanOfAnotherTypeNeedsTheName() {
		this.contexts.withUserConfiguration(Named.class)
			.run((context) -> assertThat(context).hasSingleBean(NatsConnectionDetails.class));
		this.contexts.withUserConfiguration(Unnamed.class).run((context) -> assertThat(context).hasFailed());
	}

	@Configuration(proxyBeanMethods = false)
	static class Nats {

		@Bean
		@ServiceConnection
		NatsContainer broker() {
			return new NatsContainer();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Mirrored {

		@Bean
		@ServiceConnection
		NatsContainer broker() {
			DockerImageName image = DockerImageName.parse("mirror.example/hub/nats:2.15");
			return new NatsContainer(image.asCompatibleSubstituteFor(NatsContainer.IMAGE));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Named {

		@Bean
		@ServiceConnection("nats")
		GenericContainer<?> broker() {
			return new GenericContainer<>(NatsContainer.IMAGE.withTag("2.15")).withExposedPorts(4222);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Unnamed {

		@Bean
		@ServiceConnection
		GenericContainer<?> broker() {
			return new GenericContainer<>(NatsContainer.IMAGE.withTag("2.15")).withExposedPorts(4222);
		}

	}

}
