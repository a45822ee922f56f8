package dev.eventing.sdk.autoconfigure;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.util.StringUtils;

/**
 * The connection details of the service {@code nats} in a {@code compose.yaml} that
 * Spring Boot has started. With a login in variables, as Bitnami's image takes it: the
 * official one takes its login from its command line or a file, which cannot be read.
 */
class NatsComposeConnectionDetailsFactory extends DockerComposeConnectionDetailsFactory<NatsConnectionDetails> {

	private static final int PORT = 4222;

	NatsComposeConnectionDetailsFactory() {
		super(new String[] { "nats", "bitnami/nats" });
	}

	@Override
	protected NatsConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new ServiceDetails(source.getRunningService());
	}

	private static final class ServiceDetails extends DockerComposeConnectionDetails implements NatsConnectionDetails {

		private final RunningService service;

		ServiceDetails(RunningService service) {
			super(service);
			this.service = service;
		}

		@Override
		public List<String> getServers() {
			return List.of("nats://" + this.service.host() + ":" + this.service.ports().get(PORT));
		}

		@Override
		public @Nullable String getUsername() {
			return variable("NATS_USERNAME");
		}

		@Override
		public @Nullable String getPassword() {
			return variable("NATS_PASSWORD");
		}

		@Override
		public @Nullable String getToken() {
			return variable("NATS_TOKEN");
		}

		/** Null also for a variable without a value. */
		private @Nullable String variable(String name) {
			String value = this.service.env().get(name);
			return StringUtils.hasLength(value) ? value : null;
		}

	}

}
