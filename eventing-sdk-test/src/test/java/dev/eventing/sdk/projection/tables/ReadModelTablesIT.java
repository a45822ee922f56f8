package dev.eventing.sdk.projection.tables;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.test.timing.Patience;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReadModelTablesIT extends ReadModelTablesSetup {

	@Nested
	class WhenCopying {

		@Test
		void makesACopyThatTheCatalogDescribesInTheSameWords() {
			List<List<String>> live = descriptions("shop");
			assertThat(live.get(0)).hasSizeGreaterThan(30);
			createNext();
			assertThat(descriptions("next")).isEqualTo(live);
			assertThat(descriptions("shop")).isEqualTo(live);
		}

		@Test
		void keepsEverythingOverExchangesAndDropsTheRest() {
			List<List<String>> live = descriptions("shop");
			List<Long> before = oids("shop");
			createNext();
			List<Long> next = oids("next");
			exchange("next", "former");
			assertThat(oids("shop")).isEqualTo(next);
			assertThat(oids("former")).isEqualTo(before);
			assertThat(descriptions("shop")).isEqualTo(live);
			assertThat(descriptions("former")).isEqualTo(live);
			assertThat(schemas()).doesNotContain("next");
			exchange("former", "next");
			assertThat(oids("shop")).isEqualTo(before);
			assertThat(descriptions("shop")).isEqualTo(live);
			assertThat(descriptions("next")).isEqualTo(live);
			drop("next");
			assertThat(schemas()).contains("shop").doesNotContain("next", "former");
			assertThat(descriptions("shop")).isEqualTo(live);
		}

		@Test
		void givesTheCopySequencesOfItsOwn() {
			insert("shop");
			insert("shop");
			createNext();
			insert("next");
			assertThat(
					jdbc().queryForObject("select concat_ws(' ', id, position, number) from next.orders", String.class))
				.isEqualTo("1 100 A-7");
			exchange("next", "former");
			drop("former");
			insert("shop");
			assertThat(jdbc().queryForList("select concat_ws(' ', id, position, number) from orders order by id",
					String.class))
				.containsExactly("1 100 A-7", "2 130 A-22");
		}

		@Test
		void givesTheCopyItsOwnerAndNoMoreRightsThanTheLiveTable() {
			jdbc().execute("""
					alter table orders owner to %1$s; alter statistics related owner to %1$s;
					alter statistics worded owner to %1$s; alter statistics "Both" owner to %1$s;
					revoke delete on orders from %1$s;
					alter default privileges grant all on tables to public;
					alter default privileges grant all on sequences to public""".formatted(role()));
			List<List<String>> live = descriptions("shop");
			assertThat(refusals(TABLES)).isEmpty();
			createNext();
			assertThat(descriptions("next")).isEqualTo(live);
			assertThat(jdbc().queryForObject("select has_schema_privilege(?, 'next', 'CREATE')", Boolean.class, role()))
				.isFalse();
			assertThat(jdbc().queryForObject("select has_schema_privilege(?, 'next', 'USAGE')", Boolean.class, role()))
				.isTrue();
		}

		@Test
		void needsNoMoreThanAnOwnerOfTheTablesHas() {
			jdbc().execute(
					"""
							alter table orders owner to %1$s; alter statistics related owner to %1$s;
							alter statistics worded owner to %1$s; alter statistics "Both" owner to %1$s; alter table %2$s owner to %1$s;
							grant create on schema shop to %1$s"""
						.formatted(role(), quoted(LONG)));
			jdbc().execute("do $$ begin execute format('grant create on database %I to " + role()
					+ "', current_database()); end $$");
			List<List<String>> live = descriptions("shop");
			inTransaction(() -> {
				jdbc().execute("set local role " + role());
				assertThat(tables().refusals(TABLES, TableOrigin.COPY)).isEmpty();
				tables().create("next", TABLES);
				tables().exchange(TABLES, "shop", "next", "former", Patience.LONG);
				tables().drop("former", TABLES);
				return null;
			});
			assertThat(descriptions("shop")).isEqualTo(live);
		}

		@Test
		void leavesNothingIfTheTransactionRollsBack() {
			transaction().executeWithoutResult((status) -> {
				tables().create("next", TABLES);
				status.setRollbackOnly();
			});
			assertThat(schemas()).doesNotContain("next");
		}

		@Test
		void namesTheSchemaOfTheLiveTables() {
			assertThat(inTransaction(() -> tables().liveSchema(TABLES))).isEqualTo("shop");
			jdbc().execute("create table public.elsewhere ()");
			assertThatExceptionOfType(ReadModelTablesException.class)
				.isThrownBy(() -> tables().liveSchema(List.of("orders", "elsewhere")))
				.withMessageContaining("[public, shop]");
			assertThatExceptionOfType(ReadModelTablesException.class)
				.isThrownBy(() -> tables().liveSchema(List.of("no")))
				.withMessageContaining("Table 'no' does not exist");
		}

	}

	@Nested
	class WhenExchanging {

		@Test
		void disturbsNoReader() throws Exception {
			createNext();
			insert("shop");
			insert("next");
			AtomicBoolean over = new AtomicBoolean();
			AtomicInteger reads = new AtomicInteger();
			ExecutorService threads = Executors.newFixedThreadPool(2);
			try {
				List<Future<?>> readers = new ArrayList<>();
				for (int thread = 0; thread < 2; thread++) {
					readers.add(threads.submit(() -> {
						read(over, reads);
						return null;
					}));
				}
				String beside = "next";
				for (int round = 0; round < 20; round++) {
					int seen = reads.get();
					Awaitility.await().until(() -> reads.get() > seen + 20);
					String former = (round % 2 == 0) ? "former" : "next";
					exchange(beside, former);
					beside = former;
				}
				over.set(true);
				for (Future<?> reader : readers) {
					reader.get(60, TimeUnit.SECONDS);
				}
			}
			finally {
				over.set(true);
				threads.shutdownNow();
			}
		}

		private void read(AtomicBoolean over, AtomicInteger reads) throws Exception {
			try (Connection connection = ReadModelTablesIT.this.dataSource.getConnection();
					var prepared = connection.prepareStatement("select count(*), min(state) from orders where id > ?");
					Statement statement = connection.createStatement()) {
				prepared.setInt(1, 0);
				while (!over.get()) {
					for (var rows : List.of(prepared.executeQuery(), statement.executeQuery(
							"select * from orders, " + quoted(LONG) + " right join (values (1)) v on true"))) {
						assertThat(rows.next()).isTrue();
						assertThat(rows.getInt(1)).isEqualTo(1);
					}
					reads.incrementAndGet();
				}
			}
		}

		@Test
		void givesUpAfterTheLockTimeoutAndNamesTheHolder() throws Exception {
			createNext();
			try (Connection reader = ReadModelTablesIT.this.dataSource.getConnection();
					Statement statement = reader.createStatement()) {
				reader.setAutoCommit(false);
				statement.execute("set application_name = 'billing'; select * from orders");
				assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> inTransaction(() -> {
					tables().exchange(TABLES, "shop", "next", "former", Duration.ofMillis(50));
					return null;
				})).withMessageContaining("lock timeout");
				assertThat(tables().holders(TABLES, List.of("shop", "next"))).singleElement()
					.asString()
					.matches("pid \\d+ 'billing' since \\d{4}-\\d\\d-\\d\\d .*, idle in transaction");
				assertThat(tables().holders(TABLES, List.of("next"))).isEmpty();
				reader.rollback();
			}
			assertThat(tables().holders(TABLES, List.of("shop", "next"))).isEmpty();
			exchange("next", "former");
		}

		@Test
		void doesNotDropASchemaWithSomethingElseInIt() {
			createNext();
			jdbc().execute("create table next.mine (id int)");
			assertThatExceptionOfType(ReadModelTablesException.class).isThrownBy(() -> exchange("next", "former"))
				.withMessageContaining("Schema 'next' holds more than the read model's tables: table next.mine");
			assertThat(schemas()).contains("next").doesNotContain("former");
		}

	}

	@Nested
	class WhenDropping {

		@ParameterizedTest
		@ValueSource(strings = { "table next.mine (id int)", "sequence next.mine",
				"function next.mine() returns int language sql return 1", "domain next.mine as int" })
		void refusesASchemaWithSomethingElseInIt(String other) {
			createNext();
			jdbc().execute("create " + other);
			assertThatExceptionOfType(ReadModelTablesException.class).isThrownBy(() -> drop("next"))
				.withMessageContaining("next.mine");
			assertThat(oids("next")).hasSize(2);
		}

		@Test
		void refusesATableThatSomethingDependsOn() {
			createNext();
			jdbc().execute("create view public.mine as select * from next.orders");
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> drop("next"))
				.withMessageContaining("view mine depends on table next.orders");
		}

		@Test
		void takesWhatIsThere() {
			drop("never");
			createNext();
			jdbc().execute("drop table next.orders");
			drop("next");
			assertThat(schemas()).doesNotContain("next");
			assertThat(oids("shop")).hasSize(2);
		}

	}

	@Nested
	class WhenLookingForStrangers {

		private static final Set<String> ALLOWED = Set.of("shop.\"Allowed\"");

		@BeforeEach
		void createOthers() {
			createNext();
			jdbc().execute("""
					create table "Allowed" (id int); create table stranger (id int); insert into stranger values (1);
					create table parts (id int) partition by list (id);
					create function write() returns void language sql set search_path = shop
					  as 'insert into stranger values (2)'""");
		}

		@ParameterizedTest
		@CsvSource(delimiter = '|', quoteCharacter = '`',
				textBlock = """
						insert into stranger values (1)                 | shop.stranger
						update stranger set id = 2 where false          | shop.stranger
						delete from parts                               | shop.parts
						select write()                                  | shop.stranger
						truncate stranger                               | shop.stranger
						merge into stranger s using orders o on s.id = o.net when matched then delete | shop.stranger
						create table public.made (id int)               | public.made
						create materialized view public.mirror as select 1 | public.mirror
						create foreign data wrapper w; create server s foreign data wrapper w; create foreign table public.far () server s | public.far
						lock table stranger in share mode               | shop.stranger
						insert into shop.orders (tenant_id) values ('') | shop.orders
						insert into orders (tenant_id) values ('')      |
						truncate orders                                 |
						insert into "Allowed" values (1)                |
						select nextval('shop.orders_id_seq')            |
						create temporary table temp as select * from stranger |
						select * from stranger for share                |
						select * from stranger for update               |
						savepoint s; insert into stranger values (1); rollback to s |
						""")
		void namesTheTable(String statement, String stranger) {
			Optional<String> found = transaction().execute((status) -> {
				status.setRollbackOnly();
				jdbc().execute("set local search_path = next, shop, public");
				jdbc().execute(statement);
				return tables().strangers("next").writtenBut(ALLOWED);
			});
			assertThat(found).isEqualTo(Optional.ofNullable(stranger));
		}

	}

}
