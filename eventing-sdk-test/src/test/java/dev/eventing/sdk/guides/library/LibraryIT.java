package dev.eventing.sdk.guides.library;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.guides.library.RelaysEndpoint.Change;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.RelayStatus;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.OwnServers;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamInfo;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The application of the guides: tenants by Hibernate and by row level security, relays
 * that variables alone declare, a work queue, and a role with the rights of the guides.
 */
class LibraryIT {

	private static final TenantId ACME = TenantId.of("acme");

	private static final TenantId GLOBEX = TenantId.of("globex");

	private static final String CONFIGURATION = "spring.config.location=classpath:dev/eventing/sdk/guides/library/";

	private static final String MIGRATIONS = "spring.flyway.locations=classpath:dev/eventing/sdk/guides/library/migration";

	@Nested
	@SpringBootTest(classes = LibraryApplication.class, webEnvironment = WebEnvironment.NONE,
			properties = { CONFIGURATION, MIGRATIONS })
	@ContextConfiguration(initializers = { OwnServers.class, LibraryServers.class, RelayVariables.class })
	class TheApplication {

		@Autowired
		private Library library;

		@Autowired
		private Loans loans;

		@Autowired
		private JdbcTemplate jdbc;

		@Autowired
		private RelaysEndpoint relays;

		@Autowired
		private Environment environment;

		@Test
		void keepsTheLoansOfEachTenant() {
			this.library.lend(ACME, "Dune", "ada");
			this.library.lend(GLOBEX, "Emma", "ada");
			await().untilAsserted(() -> assertThat(booksOf(ACME, "ada")).containsExactly("Dune"));
			await().untilAsserted(() -> assertThat(booksOf(GLOBEX, "ada")).containsExactly("Emma"));
			assertThat(this.loans.findAll()).as("without a tenant").isEmpty();
		}

		private List<String> booksOf(TenantId tenant, String readerId) {
			CurrentTenant.Scope scope = CurrentTenant.open(tenant);
			try {
				return this.loans.findByReaderId(readerId).stream().map(Loan::bookTitle).toList();
			}
			finally {
				scope.close();
			}
		}

		@Test
		void keepsTheReservationsOfEachTenant() throws Exception {
			this.library.reserve(ACME, "Dune", "bea");
			this.library.reserve(GLOBEX, "Emma", "bea");
			await().untilAsserted(() -> assertThat(owner(this.environment).queryForList(
					"select tenant || ': ' || book_title from reservation" + " where reader_id = 'bea' order by tenant",
					String.class))
				.containsExactly("acme: Dune", "globex: Emma"));
			assertThat(this.jdbc.queryForList("select * from reservation")).as("without a tenant").isEmpty();
			await().untilAsserted(() -> assertThat(queue().getStreamState().getMsgCount()).isZero());
			assertThat(queue().getConfiguration().getRetentionPolicy()).isEqualTo(RetentionPolicy.WorkQueue);
		}

		private StreamInfo queue() throws Exception {
			try (Connection nats = Nats.connect(this.environment.getRequiredProperty("eventing.nats.servers"))) {
				return nats.jetStreamManagement().getStreamInfo("RESERVATIONS");
			}
		}

		@Test
		void writesEventsInSnakeCase() {
			this.library.lend(ACME, "Dune", "cem");
			assertThat(this.jdbc.queryForList(
					"select payload::text from eventing.events where payload ->> 'reader_id' = 'cem'", String.class))
				.containsExactly("{\"reader_id\": \"cem\", \"book_title\": \"Dune\"}");
		}

		@Test
		void operatorsAskForRelaysAndPauseThem() {
			assertThat(this.relays.status()).extracting(RelayStatus::relay)
				.containsExactlyInAnyOrder("loans", "reservations");
			this.relays.change("loans", Change.PAUSE, null, null, null, null);
			await().until(() -> state("loans") == RelayState.PAUSED);
			this.relays.change("loans", Change.RESUME, null, null, null, null);
			await().until(() -> state("loans") == RelayState.RUNNING);
			assertThat(this.relays.refusals("loans")).isEmpty();
			assertThat(this.relays.change("loans", Change.RETRY, "acme", "loan-none", null, null))
				.isEqualTo("0 events are tried again");
			assertThat(this.relays.change("loans", Change.GIVE_UP, null, null, Long.MAX_VALUE, null))
				.isEqualTo("there is no such event");
		}

		private RelayState state(String relay) {
			return this.relays.status()
				.stream()
				.filter((status) -> status.relay().equals(relay))
				.map(RelayStatus::state)
				.findFirst()
				.orElseThrow();
		}

	}

	/**
	 * The tables are there before the first start, and the role has the rights of the
	 * guide alone.
	 */
	@Nested
	@SpringBootTest(classes = LibraryApplication.class, webEnvironment = WebEnvironment.NONE,
			properties = { CONFIGURATION, MIGRATIONS, "eventing.schema.mode=validate" })
	@ContextConfiguration(
			initializers = { OwnServers.class, LibraryServers.class, TablesByHand.class, RelayVariables.class })
	class TheApplicationWithRightsByHand {

		@Autowired
		private Library library;

		@Autowired
		private DeadLetters letters;

		@Autowired
		private Environment environment;

		@Test
		void appliesParksAndRedrivesEvents() {
			JdbcTemplate owner = owner(this.environment);
			owner.execute("alter table loan add constraint long_titles check (length(book_title) > 3) not valid");
			this.library.lend(ACME, "It", "ada");
			this.library.lend(GLOBEX, "Emma", "ada");
			DeadLetterFilter parked = DeadLetterFilter.ALL.withStatus(DeadLetterStatus.PARKED);
			await().until(() -> this.letters.count(parked) == 1);
			owner.execute("alter table loan drop constraint long_titles");
			this.letters.redrive(RedriveRequest.of(parked, "ops"));
			await().untilAsserted(
					() -> assertThat(owner.queryForList("select book_title from loan order by 1", String.class))
						.containsExactly("Emma", "It"));
		}

		@Test
		void hasNoRightThatItDoesNotNeed() {
			JdbcTemplate jdbc = owner(this.environment);
			assertThat(jdbc.queryForList(
					"""
							select t || ' ' || r
							  from unnest(array['events', 'erasures']) t, unnest(array['insert', 'update', 'delete', 'truncate']) r
							 where has_table_privilege('library', 'eventing.' || t, r)
							""",
					String.class))
				.containsExactly("events insert");
			assertThat(
					jdbc.queryForObject("select has_schema_privilege('library', 'eventing', 'create')", Boolean.class))
				.isFalse();
		}

	}

	private static JdbcTemplate owner(Environment environment) {
		return new JdbcTemplate(new DriverManagerDataSource(environment.getRequiredProperty("spring.datasource.url"),
				environment.getRequiredProperty("spring.flyway.user"), ""));
	}

	/** As the environment of the process has them. */
	static class RelayVariables implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment",
						Map.of("EVENTING_RELAYS_LOANS_CATEGORIES", "loan", "EVENTING_RELAYS_RESERVATIONS_CATEGORIES",
								"reservation", "EVENTING_RELAYS_RESERVATIONS_PAGESIZE", "100")));
		}

	}

	/** Creates the tables of the SDK as their owner, and grants what the guide grants. */
	static class TablesByHand implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			JdbcTemplate owner = owner(context.getEnvironment());
			DriverManagerDataSource tables = (DriverManagerDataSource) owner.getDataSource();
			new SchemaInitializer(tables, EventingSchema.defaults(), SchemaMode.MIGRATE).initialize();
			new ResourceDatabasePopulator(new ClassPathResource("rights.sql", LibraryIT.class)).execute(tables);
		}

	}

}
