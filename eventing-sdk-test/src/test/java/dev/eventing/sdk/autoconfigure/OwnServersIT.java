package dev.eventing.sdk.autoconfigure;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.Map;

import dev.eventing.sdk.autoconfigure.UsersApplication.UserCreated;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.test.server.OwnServers;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.javapoet.ClassName;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNoException;
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

	/** As for policies of row level security, which a superuser passes over. */
	@Nested
	@SpringBootTest(classes = UsersApplication.class, webEnvironment = WebEnvironment.NONE,
			properties = { "root=users", "eventing.streams.USERS.subjects=users.>",
					"spring.flyway.locations=classpath:dev/eventing/sdk/autoconfigure/migration" })
	@ContextConfiguration(initializers = { OwnServers.class, AnotherUser.class })
	class AnApplicationWithAnotherUser {

		@Autowired
		private JdbcTemplate jdbc;

		@Test
		void connectsAsThatUser() {
			assertThat(this.jdbc.queryForObject("select current_user", String.class)).isEqualTo(AnotherUser.NAME);
		}

	}

	/** No bean asks for the server, and Spring destroys only what it has created. */
	@Test
	void aServerEndsWithItsContextThoughBeansAreLazy() throws IOException {
		GenericApplicationContext context = new GenericApplicationContext();
		context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
		new OwnServers().initialize(context);
		URI server = URI.create(context.getEnvironment().getRequiredProperty("eventing.nats.servers"));
		context.refresh();
		new Socket(server.getHost(), server.getPort()).close();
		context.close();
		assertThatIOException().isThrownBy(() -> new Socket(server.getHost(), server.getPort()).close());
	}

	/** Spring generates no code for a bean that is defined by its instance. */
	@Test
	void aContextCanBeProcessedAheadOfTime() {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			new OwnServers().initialize(context);
			DefaultGenerationContext generation = new DefaultGenerationContext(
					new ClassNameGenerator(ClassName.get(OwnServersIT.class)), new InMemoryGeneratedFiles());
			assertThatNoException()
				.isThrownBy(() -> new ApplicationContextAotGenerator().processAheadOfTime(context, generation));
		}
	}

	/** Creates a role, and names it in the properties of the application. */
	static class AnotherUser implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		static final String NAME = "another_user_of_own_servers";

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			ConfigurableEnvironment environment = context.getEnvironment();
			String superuser = environment.getRequiredProperty("spring.datasource.username");
			new JdbcTemplate(new DriverManagerDataSource(environment.getRequiredProperty("spring.datasource.url"),
					superuser, ""))
				.execute("create role " + NAME + " login");
			environment.getPropertySources()
				.addFirst(new MapPropertySource("another user", Map.of("spring.datasource.username", NAME,
						"spring.flyway.user", superuser, "spring.flyway.password", "")));
		}

	}

}
