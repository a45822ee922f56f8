package dev.eventing.sdk.test.server;

/**
 * The pair of servers that all tests of one JVM share, each started when first asked for
 * and ended with the JVM. Tests keep apart by databases, streams and subjects of their
 * own; one that stops or kills a server starts its own.
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

	private static <T extends AutoCloseable> T untilShutdown(T server) {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			try {
				server.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}, "test-server-shutdown"));
		return server;
	}

	private static final class Nats {

		private static final NatsServer SHARED = untilShutdown(NatsServer.start());

	}

	private static final class Postgres {

		private static final PostgresServer SHARED = untilShutdown(PostgresServer.start());

	}

}
