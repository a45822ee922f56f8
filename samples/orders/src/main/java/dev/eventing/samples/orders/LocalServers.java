package dev.eventing.samples.orders;

import java.util.Map;

import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/**
 * Starts a NATS and a PostgreSQL server for this run, so that nothing need be installed.
 * All contexts that it initializes share them. An application of yours has their
 * addresses in its configuration instead.
 */
final class LocalServers implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private Map<String, Object> addresses = Map.of();

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		if (this.addresses.isEmpty()) {
			this.addresses = start();
		}
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("localServers", this.addresses));
	}

	private static Map<String, Object> start() {
		NatsServer nats = NatsServer.start();
		// Once the context is closed, also by Ctrl-C: by then the projectors have settled
		// what they held.
		SpringApplication.getShutdownHandlers().add(nats::close);
		PostgresServer postgres = PostgresServer.start();
		SpringApplication.getShutdownHandlers().add(postgres::close);
		return Map.of("eventing.nats.servers", nats.url(), "spring.datasource.url", postgres.createDatabase());
	}

}
