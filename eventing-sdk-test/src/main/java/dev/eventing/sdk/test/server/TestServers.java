package dev.eventing.sdk.test.server;

/**
 * The two servers that all tests of one JVM share. Each is started at its first use and
 * ends with the JVM. Each test must use separate databases, streams and subjects. A test
 * that stops or kills a server must start its own.
 *
 * <p>
 * No shutdown hook ends them: it would compete with the hooks by which Spring closes
 * contexts that tests have left open, and these contexts still need the servers. A
 * process outside the JVM ends each server after the JVM; for containers, Testcontainers
 * does this.
 *
 * <p>
 * They are processes of this machine, or containers if the system property
 * {@code eventing.test.servers} (environment: {@code EVENTING_TEST_SERVERS}) is
 * {@code docker} and Testcontainers is on the classpath. The images are
 * {@code eventing.test.nats-image} and {@code eventing.test.postgres-image}; if the
 * latter is not available, the embedded PostgreSQL replaces it, and this is logged.
 */
public final class TestServers {

	private TestServers() {
	}

	/** The shared NATS server. */
	public static NatsServer nats() {
		return Nats.SHARED;
	}

	/** The shared PostgreSQL server. */
	public static PostgresServer postgres() {
		return Postgres.SHARED;
	}

	/** A NATS server of its own, of the kind that {@link #nats()} is. */
	static NatsServer startNats() {
		return inContainers() ? ContainerServers.nats() : NatsServer.start();
	}

	private static boolean inContainers() {
		String where = Machine.current().setting("eventing.test.servers").orElse("local");
		return switch (where) {
			case "local" -> false;
			case "docker" -> {
				DockerEngine.obstacle().ifPresent((obstacle) -> {
					throw new ServerFailedException("eventing.test.servers is 'docker', but: " + obstacle
							+ ". Consider starting a Docker engine, or leave the setting out.");
				});
				yield true;
			}
			default -> throw new IllegalArgumentException(
					"eventing.test.servers is '" + where + "'. Consider 'local' or 'docker'.");
		};
	}

	private static final class Nats {

		private static final NatsServer SHARED = startNats();

	}

	private static final class Postgres {

		private static final PostgresServer SHARED = inContainers() ? ContainerServers.postgres()
				: PostgresServer.start();

	}

}
