package dev.eventing.sdk.test.server;

import java.util.Optional;

import org.springframework.util.ClassUtils;

/**
 * Checks whether containers are available. Testcontainers may be missing on the
 * classpath.
 */
final class DockerEngine {

	private DockerEngine() {
	}

	/** Why containers are not available; empty if they are. */
	static Optional<String> obstacle() {
		if (!ClassUtils.isPresent("org.testcontainers.DockerClientFactory", DockerEngine.class.getClassLoader())) {
			return Optional.of("Testcontainers (org.testcontainers:testcontainers-postgresql) is not on the classpath");
		}
		return Testcontainers.obstacle();
	}

	/**
	 * Starts NATS in a container if no program was found, except if a program was named
	 * by a setting: then no other server may replace it.
	 */
	static NatsServer natsInPlaceOf(NatsServerNotFoundException missing) {
		if (new NamedNatsServer(Machine.current()).isNamed()) {
			throw missing;
		}
		Optional<String> obstacle = obstacle();
		if (obstacle.isPresent()) {
			throw missing.after(new NatsServerNotFoundException.Attempt("Docker engine", obstacle.get()));
		}
		return ContainerServers.nats();
	}

	// A separate class: it is loaded only if Testcontainers is present.
	private static final class Testcontainers {

		static Optional<String> obstacle() {
			return org.testcontainers.DockerClientFactory.instance().isDockerAvailable() ? Optional.empty()
					: Optional.of("none answers");
		}

	}

}
