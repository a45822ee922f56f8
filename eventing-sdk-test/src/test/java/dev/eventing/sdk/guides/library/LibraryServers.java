package dev.eventing.sdk.guides.library;

import java.io.IOException;
import java.util.Map;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Creates the role and the work queue of the application before it starts. */
class LibraryServers implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		ConfigurableEnvironment environment = context.getEnvironment();
		String owner = environment.getRequiredProperty("spring.datasource.username");
		createRole(environment.getRequiredProperty("spring.datasource.url"), owner);
		createWorkQueue(environment.getRequiredProperty("eventing.nats.servers"));
		environment.getPropertySources()
			.addFirst(new MapPropertySource("library", Map.of("spring.datasource.username", "library",
					"spring.flyway.user", owner, "spring.flyway.password", "")));
	}

	/** Tests with other properties share the server of the database. */
	private static void createRole(String url, String owner) {
		new JdbcTemplate(new DriverManagerDataSource(url, owner, "")).execute("""
				do $$ begin
				  if not exists (select from pg_roles where rolname = 'library') then
				    create role library login;
				  end if;
				end $$
				""");
	}

	private static void createWorkQueue(String servers) {
		try (Connection nats = Nats.connect(servers)) {
			nats.jetStreamManagement()
				.addStream(StreamConfiguration.builder()
					.name("RESERVATIONS")
					.subjects("reservation.>")
					.retentionPolicy(RetentionPolicy.WorkQueue)
					.build());
		}
		catch (IOException | JetStreamApiException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
