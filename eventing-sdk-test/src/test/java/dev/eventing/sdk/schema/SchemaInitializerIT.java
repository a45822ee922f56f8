package dev.eventing.sdk.schema;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.migrations.EventingMigrations;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SchemaInitializerIT {

	private static final String[] TABLES = { "schema_identity", "processed_events", "projector_positions",
			"projector_coverage", "projector_attempts", "dead_letters", "dead_letter_audit", "dead_letter_redrives",
			"streams", "events", "snapshots", "relays", "relay_positions", "relay_streams", "relay_refusals",
			"relay_late_events", "projector_checkpoints", "projector_handouts", "projector_prunings", "projector_nodes",
			"projector_controls", "projections", "erasures", "projection_ownership", "projection_lanes",
			"projection_claims", "projection_inline", "projection_skips", "projection_effects", "projection_requests",
			"projection_backfills", "projection_backfill_events", "projection_audit", "projector_beginnings",
			"projection_checks", "projection_check_requests", "projection_snapshots", "leases", "lease_epochs" };

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private DataSource dataSource;

	private JdbcTemplate jdbc;

	@BeforeEach
	void createDatabase() {
		this.dataSource = freshDatabase();
		this.jdbc = new JdbcTemplate(this.dataSource);
	}

	@ParameterizedTest
	@EnumSource(names = { "MIGRATE", "VALIDATE" })
	void saysThatTheDatabaseCannotBeReached(SchemaMode mode) {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/orders");
			pool.setPassword("secret");
			pool.setConnectionTimeout(250);
			SchemaInitializer initializer = new SchemaInitializer(pool, EventingSchema.defaults(), mode);
			assertThatExceptionOfType(DatabaseUnavailableException.class).isThrownBy(initializer::initialize)
				.withMessageContaining("The database cannot be reached to look for the tables of schema 'eventing': ")
				.withMessageContaining("127.0.0.1:1 refused")
				.withMessageContaining("Consider whether PostgreSQL runs")
				.withMessageNotContaining("secret");
		}
	}

	/** The connections of the application do. */
	@Test
	void saysThatTheConnectionsForMigrationsDoNotAnswer() {
		MigrationDataSource away = new MigrationDataSource(
				TestServers.postgres().dataSource("jdbc:postgresql://127.0.0.1:1/orders?user=owner"));
		SchemaInitializer initializer = new SchemaInitializer(this.dataSource, EventingSchema.defaults(),
				SchemaMode.MIGRATE, away);
		assertThatExceptionOfType(DatabaseUnavailableException.class).isThrownBy(initializer::initialize)
			.withMessageContaining("The MigrationDataSource has connections that do not answer")
			.withMessageContaining("127.0.0.1:1 refused")
			.withMessageContaining("Consider whether PostgreSQL runs, the URL, user and password of that bean");
	}

	/** A server or a network that stands still does not hang the start. */
	@ParameterizedTest
	@EnumSource(names = { "MIGRATE", "VALIDATE" })
	void doesNotWaitForEverForADatabaseThatFallsSilent(SchemaMode mode) {
		String url = this.fixture.emptyDatabase();
		SingleConnectionDataSource connected = this.fixture.opened(new SingleConnectionDataSource());
		try (FaultProxy proxy = FaultProxy.to(TestServers.postgres().port())) {
			connected.setUrl(url.replaceFirst(":[0-9]+/", ":" + proxy.port() + "/"));
			connected.setSuppressClose(true);
			new JdbcTemplate(connected).queryForObject("select 1", Integer.class);
			proxy.swallow();
			SchemaInitializer initializer = new SchemaInitializer(connected, EventingSchema.defaults(), mode,
					() -> null, Duration.ofSeconds(1));
			Stopwatch
				.time(() -> assertThatExceptionOfType(DatabaseUnavailableException.class)
					.isThrownBy(initializer::initialize)
					.withMessageContaining("The database does not answer within 1000 ms")
					.withMessageContaining("Consider whether PostgreSQL"))
				.assertWithin(Duration.ofSeconds(10));
		}
	}

	/** Flyway holds one while it asks for another. */
	@Test
	void saysThatAPoolIsTooSmallToMigrate() {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setDataSource(this.dataSource);
			pool.setMaximumPoolSize(1);
			pool.setConnectionTimeout(1000);
			SchemaInitializer initializer = new SchemaInitializer(pool, EventingSchema.defaults(), SchemaMode.MIGRATE);
			assertThatExceptionOfType(SchemaNotReadyException.class).isThrownBy(initializer::initialize)
				.withMessageEndingWith("Consider a pool of 3 connections or more: Flyway needs two at a time.");
		}
	}

	/**
	 * It could store neither every event nor the message of every error. One without an
	 * encoding takes any bytes, and knows no characters.
	 */
	@ParameterizedTest
	@CsvSource({ "MIGRATE, LATIN1", "VALIDATE, LATIN1", "MIGRATE, SQL_ASCII", "VALIDATE, SQL_ASCII" })
	void refusesADatabaseThatCannotStoreEveryText(SchemaMode mode, String encoding) {
		String name = "encoded_" + UUID.randomUUID().toString().substring(0, 8);
		JdbcTemplate administrator = new JdbcTemplate(
				TestServers.postgres().dataSource(TestServers.postgres().jdbcUrl()));
		administrator.execute("create database " + name + " encoding '" + encoding
				+ "' lc_collate 'C' lc_ctype 'C' template template0");
		String url = TestServers.postgres().jdbcUrl().replaceFirst("/[^/?]*([?]|$)", "/" + name + "$1");
		try {
			SchemaInitializer initializer = new SchemaInitializer(TestServers.postgres().dataSource(url),
					EventingSchema.defaults(), mode);
			assertThatExceptionOfType(SchemaNotReadyException.class).isThrownBy(initializer::initialize)
				.withMessageContaining("the database has the encoding " + encoding + ", which")
				.withMessageContaining("Consider a database that was created with \"encoding 'UTF8'");
		}
		finally {
			TestServers.postgres().dropDatabase(url);
		}
	}

	@Nested
	class WhenMigrating {

		@Test
		void createsTheSchemaWithEveryTableAndAHistoryOfItsOwn() {
			initialize("eventing", SchemaMode.MIGRATE);
			assertThat(tables("eventing")).contains(TABLES).contains(EventingMigrations.HISTORY_TABLE);
			assertThat(tables("public")).isEmpty();
			assertThat(appliedVersions("eventing")).isEqualTo(EventingMigrations.versions());
		}

		@Test
		void saysInTheDatabaseWhatEachTableIsFor() {
			initialize("eventing", SchemaMode.MIGRATE);
			assertThat(SchemaInitializerIT.this.jdbc.queryForList("""
					select c.relname from pg_class c
					 where c.relnamespace = 'eventing'::regnamespace and c.relkind = 'r'
					   and length(obj_description(c.oid, 'pg_class')) > 40
					""", String.class)).contains(TABLES);
		}

		@Test
		void changesNothingTheSecondTime() {
			initialize("eventing", SchemaMode.MIGRATE);
			SchemaInitializerIT.this.jdbc.update("""
					insert into eventing.processed_events (projector_name, event_id, tenant_id)
					values ('p', gen_random_uuid(), 't')
					""");
			initialize("eventing", SchemaMode.MIGRATE);
			assertThat(appliedVersions("eventing")).isEqualTo(EventingMigrations.versions());
			assertThat(SchemaInitializerIT.this.jdbc.queryForObject("select count(*) from eventing.processed_events",
					Integer.class))
				.isEqualTo(1);
		}

		@Test
		void letsNodesStartTogether() throws Exception {
			int nodes = 4;
			ExecutorService threads = Executors.newFixedThreadPool(nodes);
			try {
				for (int round = 0; round < 4; round++) {
					createDatabase();
					SchemaInitializerIT.this.jdbc.execute("create table orders (id bigint primary key)");
					String schema = (round % 2 == 0) ? "eventing" : "public";
					CyclicBarrier start = new CyclicBarrier(nodes);
					List<Future<?>> starts = new ArrayList<>();
					for (int node = 0; node < nodes; node++) {
						starts.add(threads.submit(() -> {
							start.await();
							initialize(schema, SchemaMode.MIGRATE);
							return null;
						}));
					}
					for (Future<?> started : starts) {
						started.get();
					}
					assertThat(appliedVersions(schema)).isEqualTo(EventingMigrations.versions());
				}
			}
			finally {
				threads.shutdownNow();
			}
		}

		@Test
		void takesAnotherSchemaName() {
			initialize("billing_events", SchemaMode.MIGRATE);
			initialize("billing_events", SchemaMode.VALIDATE);
			assertThat(tables("billing_events")).contains(TABLES);
			assertThat(tables("eventing")).isEmpty();
			assertThatExceptionOfType(SchemaNotReadyException.class)
				.isThrownBy(() -> initialize("eventing", SchemaMode.VALIDATE));
		}

		@Test
		void sharesADatabaseWithTheApplicationsOwnMigrations(@TempDir Path folder) throws IOException {
			Flyway application = application(folder);
			application.migrate();
			initialize("eventing", SchemaMode.MIGRATE);
			assertThatCode(application::validate).doesNotThrowAnyException();
			assertThat(application.migrate().migrationsExecuted).isZero();
			assertThat(tables("public")).containsExactlyInAnyOrder("orders", "flyway_schema_history");
		}

		@Test
		void sharesASchemaWithTheApplicationsOwnMigrations(@TempDir Path folder) throws IOException {
			Flyway application = application(folder);
			application.migrate();
			initialize("public", SchemaMode.MIGRATE);
			assertThatCode(application::validate).doesNotThrowAnyException();
			assertThat(tables("public")).contains(TABLES).contains("orders");
		}

		@Test
		void reportsAScriptThatFails() {
			SchemaInitializerIT.this.jdbc.execute("create schema eventing");
			SchemaInitializerIT.this.jdbc.execute("create table eventing.dead_letters (id int)");
			assertThatExceptionOfType(SchemaNotReadyException.class)
				.isThrownBy(() -> initialize("eventing", SchemaMode.MIGRATE))
				.withMessageStartingWith("Schema 'eventing' could not be migrated: ")
				.withMessageContaining("relation \"dead_letters\" already exists")
				.withMessageContaining("eventing.schema.mode=validate");
			assertThat(tables("eventing")).doesNotContain("processed_events");
		}

		private Flyway application(Path folder) throws IOException {
			Files.writeString(folder.resolve("V1__orders.sql"), "create table orders (id bigint primary key);");
			return Flyway.configure()
				.dataSource(SchemaInitializerIT.this.dataSource)
				.locations("filesystem:" + folder)
				.load();
		}

	}

	@Nested
	class WhenValidating {

		@Test
		void acceptsTablesFromTheSqlThatIsPrinted() {
			SchemaInitializerIT.this.jdbc.execute(EventingMigrations.sql("eventing"));
			assertThatCode(() -> initialize("eventing", SchemaMode.VALIDATE)).doesNotThrowAnyException();
			assertThat(tables("eventing")).containsExactlyInAnyOrder(TABLES);
		}

		/** Else the transitions of one would keep the appends of the other waiting. */
		@Test
		void keepsTheLocksOfTwoSchemasApart() {
			JdbcTemplate jdbc = SchemaInitializerIT.this.jdbc;
			jdbc.execute(EventingMigrations.sql("eventing"));
			jdbc.execute(EventingMigrations.sql("other"));
			assertThat(jdbc.queryForObject("select eventing.inline_lock() = other.inline_lock()", Boolean.class))
				.isFalse();
		}

		@Test
		void namesEveryTableOfAnEmptyDatabaseAndWhatToDo() {
			assertThatExceptionOfType(SchemaNotReadyException.class)
				.isThrownBy(() -> initialize("eventing", SchemaMode.VALIDATE))
				.withMessageStartingWith("Schema 'eventing' is not ready: ")
				.withMessageContaining("eventing.schema.mode=migrate")
				.withMessageContaining(
						"java -cp eventing-migrations.jar " + "dev.eventing.migrations.EventingMigrations eventing")
				.satisfies((ex) -> assertThat(ex.problems()).containsExactlyElementsOf(Stream
					.concat(Stream.of(TABLES).map((table) -> "table '" + table + "' is missing"),
							Stream.of("view 'projector_overview' is missing", "function 'applied_events' is missing",
									"function 'inline_changed' is missing", "function 'inline_guard' is missing",
									"function 'inline_lock' is missing", "function 'note_inline_skips' is missing"))
					.toList()));
			assertThat(tables("eventing")).isEmpty();
		}

		@Test
		void namesAllThatIsMissingOrDifferentAtOnce() {
			initialize("eventing", SchemaMode.MIGRATE);
			SchemaInitializerIT.this.jdbc.execute("""
					set search_path to eventing;
					drop table dead_letter_audit;
					alter table dead_letters drop column payload, drop column forwarded_at;
					alter table processed_events drop constraint processed_events_pkey;
					alter table projector_attempts alter column event_id type text;
					alter table projector_positions drop column stream;
					drop view projector_overview;
					drop function applied_events;
					reset search_path;
					""");
			assertThatExceptionOfType(SchemaNotReadyException.class)
				.isThrownBy(() -> initialize("eventing", SchemaMode.VALIDATE))
				.satisfies((ex) -> assertThat(ex.problems()).containsExactlyInAnyOrder(
						"table 'dead_letter_audit' is missing", "column 'dead_letters.payload' is missing",
						"column 'dead_letters.forwarded_at' is missing",
						"primary key of 'processed_events' is [], not [event_id, projector_name, tenant_id]",
						"column 'projector_attempts.event_id' is 'text', not 'uuid'",
						"column 'projector_positions.stream' is missing", "view 'projector_overview' is missing",
						"function 'applied_events' is missing",
						"primary key of 'projector_positions' is [], not [projector_name, stream]"));
		}

		/** Else a column that is added later would be used and never checked. */
		@Test
		void knowsEveryColumnTheScriptsCreate() {
			initialize("eventing", SchemaMode.MIGRATE);
			List<String> required = new ArrayList<>();
			for (RequiredTable table : RequiredTable.ALL) {
				table.primaryKey().keySet().forEach((column) -> required.add(table.name() + "." + column));
				table.columns().forEach((column) -> required.add(table.name() + "." + column));
			}
			assertThat(SchemaInitializerIT.this.jdbc.queryForList("""
					select table_name || '.' || column_name from information_schema.columns
					 where table_schema = 'eventing' and table_name <> ?
					""", String.class, EventingMigrations.HISTORY_TABLE)).containsExactlyInAnyOrderElementsOf(required);
		}

	}

	@Test
	void touchesNothingWhenTheModeIsNone() {
		initialize("eventing", SchemaMode.NONE);
		assertThat(tables("eventing")).isEmpty();
	}

	private DataSource freshDatabase() {
		return TestServers.postgres().dataSource(this.fixture.emptyDatabase());
	}

	private void initialize(String schema, SchemaMode mode) {
		new SchemaInitializer(this.dataSource, new EventingSchema(schema), mode).initialize();
	}

	private List<String> tables(String schema) {
		return this.jdbc.queryForList("select tablename from pg_tables where schemaname = ?", String.class, schema);
	}

	private List<String> appliedVersions(String schema) {
		return this.jdbc.queryForList("""
				select version from %s.eventing_schema_history
				 where success and type = 'SQL' order by installed_rank
				""".formatted(schema), String.class);
	}

}
