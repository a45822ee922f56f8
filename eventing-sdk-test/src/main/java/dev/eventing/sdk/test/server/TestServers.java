package dev.eventing.sdk.test.server;

/**
 * The pair of servers that all tests of one JVM share, each started when first asked for
 * and ended with the JVM. Tests keep apart by databases, streams and subjects of their
 * own; one that stops or kills a server starts its own.
 * <p>
 * No shutdown hook ends them: it would race those by which Spring closes the contexts
 * that tests have left open, and these still need their servers. What watches each server
 * from outside ends it when the JVM is gone; for containers Testcontainers does.
 * <p>
 * They are processes of this machine, or containers when the system property
 * {@code eventing.test.servers} (environment: {@code EVENTING_TEST_SERVERS}) is
 * {@code docker} and Testcontainers is on the classpath. The images are
 * {@code eventing.test.nats-image} and {@code eventing.test.postgres-image}; where the
 * latter cannot be had the embedded PostgreSQL stands in and the log says so.
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

		private static final NatsServer SHARED = inContainers() ? ContainerServers.nats() : NatsServer.start();

	}

	private static final class Postgres {

		private static final PostgresServer SHARED = inContainers() ? ContainerServers.postgres()
				: PostgresServer.start();

	}

}
