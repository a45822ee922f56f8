package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.autoconfigure.UsersApplication.UserCreated;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.test.server.OwnServers;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Several contexts of an application whose names are constants, in one JVM: Spring keeps
 * the first ones while the next ones start.
 */
class OwnServersIT {

	@Nested
	@SpringBootTest(classes = UsersApplication.class, webEnvironment = WebEnvironment.NONE,
			properties = { "root=users", "eventing.streams.USERS.subjects=users.>",
					"spring.flyway.locations=classpath:dev/eventing/sdk/autoconfigure/migration" })
	@ContextConfiguration(initializers = OwnServers.class)
	class AnApplication {

		@Autowired
		private EventPublisher publisher;

		@Autowired
		private JdbcTemplate jdbc;

		@Test
		void appliesAnEvent() {
			Event<UserCreated> event = Event.builder(TenantId.of("acme"), new UserCreated("Ada")).build();
			this.publisher.publish("users.{tenant}.created", event);
			await().untilAsserted(() -> assertThat(this.jdbc.queryForList("select name from users", String.class))
				.containsExactly("Ada"));
		}

	}

	/** Another property makes another context. */
	@Nested
	@SpringBootTest(classes = UsersApplication.class, webEnvironment = WebEnvironment.NONE,
			properties = { "root=users", "eventing.streams.USERS.subjects=users.>",
					"spring.flyway.locations=classpath:dev/eventing/sdk/autoconfigure/migration",
					"eventing.projector.defaults.batch-size=7" })
	@ContextConfiguration(initializers = OwnServers.class)
	class TheSameApplicationWithAnotherProperty {

		@Autowired
		private EventPublisher publisher;

		@Autowired
		private JdbcTemplate jdbc;

		@Test
		void appliesItsOwnEventsAlone() {
			Event<UserCreated> event = Event.builder(TenantId.of("acme"), new UserCreated("Bea")).build();
			this.publisher.publish("users.{tenant}.created", event);
			await().untilAsserted(() -> assertThat(this.jdbc.queryForList("select name from users", String.class))
				.containsExactly("Bea"));
		}

	}

}
