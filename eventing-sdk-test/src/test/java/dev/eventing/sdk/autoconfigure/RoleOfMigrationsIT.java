package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.autoconfigure.UsersApplication.UserCreated;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** One role creates the tables, and another one works with them. */
class RoleOfMigrationsIT {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final String root = this.fixture.name();

	private final String role = this.fixture.role("login");

	private final String database = this.fixture.emptyDatabase();

	private final JdbcTemplate owner = new JdbcTemplate(TestServers.postgres().dataSource(this.database));

	@BeforeEach
	void letTheRoleUseTables() {
		this.owner.execute("alter default privileges in schema public grant all on tables to " + this.role);
	}

	@Test
	void eachStartGivesTheRightsOfTheTablesInASchemaOfAnotherName() {
		try (ConfigurableApplicationContext application = run()) {
			publish(application, "Ada");
			await().until(() -> users() == 1);
			assertThat(this.owner.queryForList(
					"select distinct tableowner::text from pg_tables where schemaname = 'of_the_sdk'", String.class))
				.containsExactly("postgres");
		}
		this.owner.execute("revoke all on all tables in schema of_the_sdk from " + this.role);
		this.owner.execute("revoke usage on schema of_the_sdk from " + this.role);
		try (ConfigurableApplicationContext application = run()) {
			publish(application, "Bea");
			await().until(() -> users() == 2);
		}
	}

	private ConfigurableApplicationContext run() {
		return UsersApplication.run("root=" + this.root,
				"spring.datasource.url=" + this.database.replace("user=postgres", "user=" + this.role),
				"spring.datasource.username=" + this.role, "spring.flyway.url=" + this.database,
				"spring.flyway.user=postgres", "eventing.nats.servers=" + TestServers.nats().url(),
				"eventing.schema.mode=migrate", "eventing.schema.name=of_the_sdk",
				"eventing.streams." + this.root + ".subjects=" + this.root + ".>");
	}

	private void publish(ConfigurableApplicationContext application, String name) {
		application.getBean(EventPublisher.class)
			.publish(this.root + ".{tenant}.created",
					Event.builder(TenantId.of("acme"), new UserCreated(name)).build());
	}

	private long users() {
		Long count = this.owner.queryForObject("select count(*) from users", Long.class);
		return (count != null) ? count : 0;
	}

}
