package dev.eventing.sdk.test.server;

import java.util.Optional;

import org.springframework.util.ClassUtils;

/** Whether containers can be had. Testcontainers may be absent from the classpath. */
final class DockerEngine {

	private DockerEngine() {
	}

	/** Why there are no containers; empty when there are. */
	static Optional<String> obstacle() {
		if (!ClassUtils.isPresent("org.testcontainers.DockerClientFactory", DockerEngine.class.getClassLoader())) {
			return Optional.of("Testcontainers (org.testcontainers:testcontainers-postgresql) is not on the classpath");
		}
		return Testcontainers.obstacle();
	}

	/**
	 * Starts NATS in a container where no program was found, unless somebody named one:
	 * another one in its place would be a lie.
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

	// A class of its own: it is loaded only when Testcontainers is there.
	private static final class Testcontainers {

		static Optional<String> obstacle() {
			return org.testcontainers.DockerClientFactory.instance().isDockerAvailable() ? Optional.empty()
					: Optional.of("none answers");
		}

	}

}
