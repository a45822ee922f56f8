package dev.eventing.benchmark.harness;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;

/**
 * The NATS and PostgreSQL servers of this run alone.
 *
 * @param nats with its own defaults and JetStream in files
 * @param postgres as durable as in production
 */
record Servers(NatsServer nats, PostgresServer postgres) implements AutoCloseable {

	/** PostgreSQL's settings: no commit is lost, and no checkpoint comes in between. */
	static final Map<String, String> POSTGRES_SETTINGS = settings();

	private static Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("fsync", "on");
		settings.put("synchronous_commit", "on");
		settings.put("full_page_writes", "on");
		settings.put("shared_buffers", "512MB");
		settings.put("max_wal_size", "16GB");
		settings.put("checkpoint_timeout", "30min");
		settings.put("maintenance_work_mem", "256MB");
		settings.put("wal_level", "logical");
		return settings;
	}

	static Servers start() {
		NatsServer nats = NatsServer.start();
		try {
			return new Servers(nats, PostgresServer.start(POSTGRES_SETTINGS));
		}
		catch (RuntimeException ex) {
			nats.close();
			throw ex;
		}
	}

	@Override
	public void close() {
		try {
			this.postgres.close();
		}
		finally {
			this.nats.close();
		}
	}

}
