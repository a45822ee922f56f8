package dev.eventing.sdk.autoconfigure;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/** Which services of a {@code compose.yaml} the SDK connects to. */
class NatsComposeConnectionDetailsFactoryTests {

	@Test
	void connectsToTheOfficialImage() throws Exception {
		NatsConnectionDetails details = details("nats:2.15", Map.of());
		assertThat(details.getServers()).containsExactly("nats://docker.example.com:31222");
		assertThat(details.getUsername()).isNull();
		assertThat(details.getToken()).isNull();
	}

	@Test
	void takesTheLoginFromVariables() throws Exception {
		NatsConnectionDetails details = details("bitnami/nats:2.12",
				Map.of("NATS_USERNAME", "app", "NATS_PASSWORD", "secret"));
		assertThat(details.getServers()).containsExactly("nats://docker.example.com:31222");
		assertThat(details.getUsername()).isEqualTo("app");
		assertThat(details.getPassword()).isEqualTo("secret");
		assertThat(details("nats", Map.of("NATS_TOKEN", "t")).getToken()).isEqualTo("t");
	}

	@Test
	void takesNothingFromVariablesWithoutAValue() throws Exception {
		NatsConnectionDetails details = details("bitnami/nats:2.12",
				Map.of("NATS_USERNAME", "", "NATS_PASSWORD", "", "NATS_TOKEN", ""));
		assertThat(details.getUsername()).isNull();
		assertThat(details.getPassword()).isNull();
		assertThat(details.getToken()).isNull();
	}

	@Test
	void leavesOtherImagesAlone() throws Exception {
		assertThat(found(new Service("example/nats-box", Map.of()))).isEmpty();
	}

	private static NatsConnectionDetails details(String image, Map<String, @Nullable String> variables)
			throws ReflectiveOperationException {
		Map<Class<?>, ConnectionDetails> found = found(new Service(image, variables));
		assertThat(found).containsOnlyKeys(NatsConnectionDetails.class);
		return (NatsConnectionDetails) found.values().iterator().next();
	}

	/** As Spring Boot looks for them. */
	private static Map<Class<?>, ConnectionDetails> found(RunningService service) throws ReflectiveOperationException {
		Constructor<DockerComposeConnectionSource> constructor = DockerComposeConnectionSource.class
			.getDeclaredConstructor(RunningService.class, Environment.class);
		constructor.setAccessible(true);
		return new ConnectionDetailsFactories(null)
			.getConnectionDetails(BeanUtils.instantiateClass(constructor, service, new StandardEnvironment()), false);
	}

	private record Service(String name, Map<String, @Nullable String> env) implements RunningService {

		@Override
		public ImageReference image() {
			return ImageReference.of(this.name);
		}

		@Override
		public String host() {
			return "docker.example.com";
		}

		@Override
		public ConnectionPorts ports() {
			return new ConnectionPorts() {

				@Override
				public int get(int containerPort) {
					return 27000 + containerPort;
				}

				@Override
				public List<Integer> getAll() {
					return List.of(get(4222));
				}

				@Override
				public List<Integer> getAll(@Nullable String protocol) {
					return getAll();
				}

			};
		}

		@Override
		public Map<String, String> labels() {
			return Map.of();
		}

	}

}
