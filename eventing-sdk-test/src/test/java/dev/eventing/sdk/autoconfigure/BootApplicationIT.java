package dev.eventing.sdk.autoconfigure;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.autoconfigure.UsersApplication.UserCreated;
import dev.eventing.sdk.deadletter.ForwarderState;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.nats.client.Connection;
import io.nats.client.Nats;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** The SDK in a Boot application, from properties alone. */
@ExtendWith(OutputCaptureExtension.class)
class BootApplicationIT {

	private final String root = "u" + UUID.randomUUID().toString().substring(0, 8);

	private final String database = TestServers.postgres().createDatabase();

	@Test
	void runsAHandlerFromPropertiesAlone() {
		try (ConfigurableApplicationContext application = run()) {
			Event<UserCreated> event = publish(application, "Ada");
			await().untilAsserted(() -> assertThat(users(application)).containsExactly("Ada"));
			assertThat(jdbc(application).queryForList("select event_id from eventing.processed_events", UUID.class))
				.containsExactly(event.id());
		}
	}

	@Test
	void keepsTheFormOfEventsWhateverTheSettingsOfJacksonAre() {
		try (ConfigurableApplicationContext application = run("spring.jackson.property-naming-strategy=SNAKE_CASE",
				"spring.jackson.default-property-inclusion=non_default", "spring.jackson.time-zone=Pacific/Auckland",
				"spring.jackson.datatype.datetime.write-dates-as-timestamps=true")) {
			EventStore store = application.getBean(EventStore.class);
			UserRenamed renamed = new UserRenamed("Ada", 0, OffsetDateTime.parse("2026-01-01T00:30:00+01:00"));
			new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> store.append(TenantId.of("acme"), "user-1", ExpectedVersion.any(),
						NewEvent.of(renamed)));
			assertThat(jdbc(application).queryForList("select payload::text from eventing.events", String.class))
				.containsExactly(
						"{\"changes\": 0, \"userName\": \"Ada\", \"renamedAt\": \"2026-01-01T00:30:00+01:00\"}");
			assertThat(store.readStream(TenantId.of("acme"), "user-1")
				.map((stored) -> stored.event().payload().<UserRenamed>bind(UserRenamed.class)))
				.containsExactly(renamed);
		}
	}

	@Test
	void migratesBesideTheMigrationsOfTheApplication() {
		try (ConfigurableApplicationContext application = run()) {
			assertThat(jdbc(application).queryForList("select script from public.flyway_schema_history", String.class))
				.containsExactly("V1__create_users.sql");
			assertThat(jdbc(application).queryForObject("select count(*) from eventing.eventing_schema_history",
					Long.class))
				.isPositive();
		}
	}

	/** The role of the application may create nothing. */
	@Test
	void migratesAsTheRoleOfTheApplicationsMigrations() {
		String role = "app_" + UUID.randomUUID().toString().substring(0, 8);
		JdbcTemplate administrator = new JdbcTemplate(
				TestServers.postgres().dataSource(TestServers.postgres().jdbcUrl()));
		administrator.execute("create role " + role + " login");
		try {
			new JdbcTemplate(TestServers.postgres().dataSource(this.database))
				.execute("alter default privileges in schema public grant all on tables to " + role);
			try (ConfigurableApplicationContext application = run(
					"spring.datasource.url=" + this.database.replace("user=postgres", "user=" + role),
					"spring.datasource.username=" + role, "spring.flyway.url=" + this.database,
					"spring.flyway.user=postgres")) {
				publish(application, "Ada");
				await().untilAsserted(() -> assertThat(users(application)).containsExactly("Ada"));
				JdbcTemplate jdbc = jdbc(application);
				assertThat(jdbc.queryForObject("select current_user", String.class)).isEqualTo(role);
				assertThat(jdbc.queryForList(
						"select distinct tableowner::text from pg_tables where schemaname = 'eventing'", String.class))
					.containsExactly("postgres");
				assertThat(health(application).getStatus()).isEqualTo(Status.UP);
			}
		}
		finally {
			TestServers.postgres().dropDatabase(this.database);
			administrator.execute("drop role " + role);
		}
	}

	@Test
	void initializesItsSchemaBetweenTheMigrationsOfTheApplicationAndWhatUsesTheDatabase() {
		try (ConfigurableApplicationContext application = run()) {
			ConfigurableListableBeanFactory beans = application.getBeanFactory();
			assertThat(allDependencies(beans, "eventingSchemaInitializer")).contains("flywayInitializer");
			assertThat(beans.getDependenciesForBean("jdbcTemplate")).contains("eventingSchemaInitializer");
			assertThat(beans.getDependenciesForBean("entityManagerFactory")).contains("eventingSchemaInitializer");
		}
	}

	@Test
	void saysWhichTablesAreMissingWhereItMayOnlyLook(CapturedOutput output) {
		assertThatException().isThrownBy(() -> run("eventing.schema.mode=validate").close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("    - table 'processed_events' is missing")
			.contains("    - table 'dead_letters' is missing")
			.contains("Set 'eventing.schema.mode=migrate'");
	}

	@Test
	void saysWhichStatementsMakeItsTablesSafe(CapturedOutput output) {
		try (ConfigurableApplicationContext application = run()) {
			jdbc(application).execute("alter sequence eventing.dead_letters_letter_number_seq cycle");
		}
		assertThatException().isThrownBy(() -> run().close());
		assertThat(output).contains("The tables in schema 'eventing' cannot be relied on:")
			.contains("    - sequence 'dead_letters_letter_number_seq' has increment 1 and cycles")
			.contains("Run one of the statements of each line")
			.doesNotContain("does not hold the tables")
			.doesNotContain("migration is blocked");
	}

	@Test
	void saysInOneSentenceThatTheDatabaseIsAway(CapturedOutput output) {
		assertThatException().isThrownBy(() -> run("spring.datasource.url=jdbc:postgresql://127.0.0.1:1/users",
				"spring.flyway.enabled=false", "spring.datasource.hikari.connection-timeout=250",
				"spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
			.close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The database cannot be reached to look for the tables of schema 'eventing': ")
			.doesNotContain("\tat ");
	}

	@Test
	void findsTheTablesThatTheApplicationsOwnMigrationsCreate() {
		try (ConfigurableApplicationContext application = run("eventing.schema.mode=validate",
				"eventing.schema.name=public",
				"spring.flyway.locations=classpath:dev/eventing/migrations/postgresql")) {
			await().until(() -> health(application).getStatus().equals(Status.UP));
		}
	}

	@Test
	void saysWhichStreamIsMissing(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> run("eventing.streams." + this.root + ".subjects=" + this.root + "x.>").close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("    - Projector 'users' listens to '" + this.root + ".*.created'")
			.contains("eventing.streams.<NAME>.subjects");
	}

	@Test
	void showsHealthWithWhatEachProjectorDoes() {
		try (ConfigurableApplicationContext application = run()) {
			publish(application, "Ada");
			await().untilAsserted(() -> assertThat(projector(application)).containsEntry("processed", 1L));
			assertThat(health(application).getStatus()).isEqualTo(Status.UP);
			assertThat(projector(application)).containsEntry("state", ProjectorState.RUNNING)
				.containsEntry("duplicates", 0L)
				.containsEntry("deadLetters", 0L)
				.containsKeys("since", "detail", "inFlight", "waitingForRetry", "pending");
			assertThat(health(application).getDetails().get("nats"))
				.isEqualTo(Map.of("servers", TestServers.nats().url(), "connected", true));
		}
	}

	@Test
	void healthSaysThatNoStreamTakesDeadLettersAndIsUp() {
		try (ConfigurableApplicationContext application = run()) {
			publish(application, "no text of PostgreSQL has \u0000");
			await().untilAsserted(() -> {
				Health forwarding = health(application, "eventingDeadLetters");
				assertThat(forwarding.getStatus()).isEqualTo(Status.UP);
				assertThat(forwarding.getDetails()).containsEntry("state", ForwarderState.LEDGER_ONLY);
			});
			assertThat(health(application).getStatus()).isEqualTo(Status.UP);
		}
	}

	@Test
	void healthIsDownWhereAPersonMustAct() throws Exception {
		try (ConfigurableApplicationContext application = run();
				Connection nats = Nats.connect(TestServers.nats().url())) {
			nats.jetStreamManagement().deleteStream(this.root);
			await().untilAsserted(() -> {
				assertThat(health(application).getStatus()).isEqualTo(Status.DOWN);
				assertThat(projector(application)).containsEntry("state", ProjectorState.FAILED);
			});
		}
	}

	@Test
	void countsInTheMetersOfTheApplication() {
		try (ConfigurableApplicationContext application = run()) {
			publish(application, "Ada");
			MeterRegistry meters = application.getBean(MeterRegistry.class);
			await().untilAsserted(() -> assertThat(meters.get("eventing.projector.events")
				.tag("projector", "users")
				.tag("outcome", "processed")
				.functionCounter()
				.count()).isEqualTo(1));
			await().until(() -> meters.get("eventing.projector.transactions").functionCounter().count() == 1
					&& meters.get("eventing.projector.running").gauge().value() == 1);
		}
	}

	@Test
	void saysThatNatsIsDownAndThatItIsBack() {
		try (NatsServer nats = NatsServer.start();
				ConfigurableApplicationContext application = run("eventing.nats.servers=" + nats.url())) {
			publish(application, "before");
			await().untilAsserted(() -> assertThat(users(application)).containsExactly("before"));

			nats.stop();
			await().untilAsserted(() -> {
				assertThat(health(application).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
				assertThat(projector(application)).containsEntry("state", ProjectorState.WAITING_FOR_NATS);
				assertThat(health(application).getDetails().get("nats"))
					.isEqualTo(Map.of("servers", nats.url(), "connected", false));
			});

			nats.restart();
			await().untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
			publish(application, "after");
			await().untilAsserted(() -> assertThat(users(application)).containsExactly("before", "after"));
		}
	}

	@Test
	void keepsTheJvmAliveWhileAProjectorRuns() {
		try (ConfigurableApplicationContext application = run("spring.threads.virtual.enabled=true")) {
			await().until(() -> application.getBean(ProjectorRegistry.class)
				.status("users")
				.state() == ProjectorState.RUNNING);
			await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> thread.getName().equals("users-intake"))
				.isNotEmpty()
				.noneMatch(Thread::isDaemon));
		}
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void runsHandlersOnVirtualThreadsWhereBootDoes() {
		try (ConfigurableApplicationContext application = run("spring.threads.virtual.enabled=true")) {
			publish(application, "Ada");
			await().untilAsserted(
					() -> assertThat(jdbc(application).queryForList("select thread from users", String.class))
						.singleElement()
						.asString()
						.startsWith("VirtualThread"));
		}
	}

	private static Set<String> allDependencies(ConfigurableListableBeanFactory beans, String bean) {
		Set<String> all = new LinkedHashSet<>();
		for (String dependency : beans.getDependenciesForBean(bean)) {
			all.add(dependency);
			all.addAll(allDependencies(beans, dependency));
		}
		return all;
	}

	private ConfigurableApplicationContext run(String... properties) {
		String[] all = new String[properties.length + 5];
		all[0] = "root=" + this.root;
		all[1] = "spring.datasource.url=" + this.database;
		all[2] = "eventing.nats.servers=" + TestServers.nats().url();
		all[3] = "eventing.schema.mode=migrate";
		all[4] = "eventing.streams." + this.root + ".subjects=" + this.root + ".>";
		System.arraycopy(properties, 0, all, 5, properties.length);
		return UsersApplication.run(all);
	}

	private Event<UserCreated> publish(ConfigurableApplicationContext application, String name) {
		Event<UserCreated> event = Event.builder(TenantId.of("acme"), new UserCreated(name)).build();
		application.getBean(EventPublisher.class).publish(this.root + ".{tenant}.created", event);
		return event;
	}

	private static List<String> users(ConfigurableApplicationContext application) {
		return jdbc(application).queryForList("select name from users order by name desc", String.class);
	}

	private static JdbcTemplate jdbc(ConfigurableApplicationContext application) {
		return application.getBean(JdbcTemplate.class);
	}

	/** As the endpoint finds it. */
	private static Health health(ConfigurableApplicationContext application) {
		return health(application, "eventing");
	}

	private static Health health(ConfigurableApplicationContext application, String name) {
		HealthIndicator indicator = (HealthIndicator) Objects
			.requireNonNull(application.getBean(HealthContributorRegistry.class).getContributor(name));
		return Objects.requireNonNull(indicator.health());
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> projector(ConfigurableApplicationContext application) {
		Map<String, Object> all = (Map<String, Object>) health(application).getDetails().get("projectors");
		return (Map<String, Object>) Objects.requireNonNull(Objects.requireNonNull(all).get("users"));
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(50));
	}

	record UserRenamed(String userName, long changes, OffsetDateTime renamedAt) {
	}

}
