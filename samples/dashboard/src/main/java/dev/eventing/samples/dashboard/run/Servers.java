package dev.eventing.samples.dashboard.run;

import java.util.List;

import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;

/**
 * NATS and PostgreSQL for this run, so that nothing need be installed. An application of
 * yours has their addresses in its configuration instead.
 *
 * @param nats carries what is pushed
 * @param postgres has the events and the states
 * @param database the URL of the database
 */
record Servers(NatsServer nats, PostgresServer postgres, String database) implements AutoCloseable {

	static Servers start() {
		NatsServer nats = NatsServer.start();
		PostgresServer postgres = PostgresServer.start();
		return new Servers(nats, postgres, postgres.createDatabase());
	}

	/** Where they are, as arguments of the application. */
	List<String> arguments() {
		return List.of("--eventing.nats.servers=" + this.nats.url(), "--spring.datasource.url=" + this.database);
	}

	@Override
	public void close() {
		this.nats.close();
		this.postgres.close();
	}

}
