package dev.eventing.sdk.projection.tables;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Schemas that change names, and tables that get their own schema. */
class SchemaRenameIT {

	private static final List<String> TABLES = List.of("orders", "\"Order Lines\"");

	private static final String RIGHTS = """
			select concat_ws('|', pg_get_userbyid(nspowner), obj_description(n.oid, 'pg_namespace'),
			         (select array_agg(concat_ws(' ', pg_get_userbyid(grantee), privilege_type, is_grantable)
			                           order by grantee, privilege_type)
			            from aclexplode(coalesce(nspacl, acldefault('n', nspowner)))),
			         (select array_agg(concat_ws(' ', pg_get_userbyid(defaclrole), defaclobjtype, defaclacl) order by defaclobjtype)
			            from pg_default_acl where defaclnamespace = n.oid))
			  from pg_namespace n where nspname = ?
			""";

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final String role = this.fixture.role("");

	private final DataSource dataSource = TestServers.postgres()
		.dataSource(this.fixture.emptyDatabase() + "&currentSchema=shop,public");

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final TransactionTemplate transaction = new TransactionTemplate(
			new DataSourceTransactionManager(this.dataSource));

	private final ReadModelTables tables = new ReadModelTables(this.jdbc);

	@BeforeEach
	void createTables() {
		this.jdbc.execute("create schema shop");
		this.jdbc.execute(
				"""
						create table orders (id bigserial primary key, position bigint generated always as identity, state text);
						create index by_state on orders (state);
						create statistics related on id, state from orders;
						create table "Order Lines" (line int primary key, state text default 'new')""");
	}

	@Nested
	class WhenRenaming {

		@Test
		void givesTheOtherTablesTheNameThatReadersKnowAndBack() {
			createNext();
			jdbc().update("insert into orders (state) values ('live')");
			jdbc().update("insert into next.orders (state) values ('next')");
			assertThat(way()).isEqualTo(ExchangeWay.SCHEMAS);
			rename("next", "former");
			assertThat(states("orders")).containsExactly("next");
			assertThat(states("former.orders")).containsExactly("live");
			assertThat(schemas()).contains("shop", "former").doesNotContain("next");
			rename("former", "next");
			assertThat(states("orders")).containsExactly("live");
			assertThat(states("next.orders")).containsExactly("next");
			jdbc().update("insert into orders (state) values ('more')");
			inTransaction(() -> {
				tables().drop("next", TABLES);
				return true;
			});
			assertThat(states("orders")).containsExactly("live", "more");
			assertThat(schemas()).contains("shop").doesNotContain("next", "former");
		}

		/** Neither waits for the other. */
		@Test
		void goesByATransactionThatReads() throws Exception {
			createNext();
			try (Connection reader = SchemaRenameIT.this.dataSource.getConnection();
					Statement statement = reader.createStatement()) {
				reader.setAutoCommit(false);
				statement.execute("declare open cursor for select state from orders; fetch 1 from open");
				rename("next", "former");
				assertThat(states("orders")).isEmpty();
				statement.execute("fetch 1 from open; select * from orders");
				reader.rollback();
			}
		}

		@Test
		void namesATransactionThatWrites() throws Exception {
			createNext();
			try (Connection writer = SchemaRenameIT.this.dataSource.getConnection();
					Statement statement = writer.createStatement()) {
				writer.setAutoCommit(false);
				statement.execute("set application_name = 'nightly'; insert into orders (state) values ('x')");
				assertThatExceptionOfType(TablesInUseException.class).isThrownBy(() -> rename("next", "former"))
					.withMessageMatching(
							"The tables are written to: pid \\d+ 'nightly' since .*, idle in transaction\\.");
				writer.rollback();
			}
			rename("next", "former");
		}

		@Test
		void givesItTheRightsOfTheLiveSchema() {
			jdbc().execute("grant usage on schema shop to " + role());
			createNext();
			jdbc().execute("""
					grant usage on schema next to public; comment on schema shop is 'the shop''s';
					revoke usage on schema shop from %1$s; grant create on schema shop to %1$s with grant option;
					alter default privileges in schema shop grant select on tables to %1$s;
					alter default privileges in schema next grant select on sequences to public;
					alter schema shop owner to %1$s""".formatted(role()));
			grantCreateOnDatabase();
			String before = rights("shop");
			assertThat(before).startsWith(role() + "|the shop's|").contains("CREATE t");
			assertThat(way()).isEqualTo(ExchangeWay.SCHEMAS);
			rename("next", "former");
			assertThat(rights("shop")).isEqualTo(before);
			assertThat(rights("former")).isEqualTo(before);
		}

		@Test
		void refusesASchemaWithSomethingElseInIt() {
			createNext();
			jdbc().execute("create table next.mine (id int)");
			assertThatExceptionOfType(ReadModelTablesException.class).isThrownBy(() -> rename("next", "former"))
				.withMessageContaining("Schema 'next' holds more than the read model's tables: table next.mine");
		}

		@ParameterizedTest
		@ValueSource(strings = { "create table other (id int)", "create view other as select 1",
				"create function other() returns int language sql return 1", "create sequence other",
				"create domain other as int", "create schema former", "create extension btree_gist schema shop" })
		void isNotPossibleWhereTheSchemaIsNotTheReadModelsAlone(String other) {
			createNext();
			jdbc().execute(other);
			assertThat(way()).isEqualTo(ExchangeWay.TABLES);
		}

		@Test
		void isNotPossibleInTheSchemaThatAllUse() {
			inTransaction(() -> {
				jdbc().execute("alter table orders set schema public");
				tables().create("next", List.of("orders"));
				assertThat(tables().way(List.of("orders"), "public", "next", "former")).isEqualTo(ExchangeWay.TABLES);
				return true;
			});
		}

		@Test
		void isNotPossibleWithoutTheRights() {
			createNext();
			jdbc().execute("grant usage on schema shop, next to " + role());
			inTransaction(() -> {
				jdbc().execute("set local role " + role());
				assertThat(tables().way(TABLES, "shop", "next", "former")).isEqualTo(ExchangeWay.TABLES);
				return true;
			});
		}

	}

	@Nested
	class WhenAdopting {

		@Test
		void movesTheTablesWithEverythingToANewSchema() {
			jdbc().execute("""
					alter table orders set schema public; alter table "Order Lines" set schema public;
					alter statistics related set schema public; drop schema shop""");
			jdbc().update("insert into orders (state) values ('live')");
			adopt("shop");
			assertThat(states("shop.orders")).containsExactly("live");
			assertThat(jdbc().queryForList("""
					select relname from pg_class where relnamespace = 'public'::regnamespace
					union all select stxname from pg_statistic_ext where stxnamespace = 'public'::regnamespace"""))
				.isEmpty();
			jdbc().update("insert into orders (state) values ('more')");
			assertThat(states("orders")).containsExactly("live", "more");
			createNext();
			assertThat(way()).isEqualTo(ExchangeWay.SCHEMAS);
		}

		@Test
		void refusesASchemaThatTheConnectionDoesNotLookInto() {
			assertThatExceptionOfType(ReadModelTablesException.class).isThrownBy(() -> adopt("elsewhere"))
				.withMessageStartingWith(
						"Table '\"Order Lines\"' would not be found: the search_path of the application's "
								+ "connections is shop,public. Consider 'elsewhere' before the others: alter role postgres in "
								+ "database ")
				.withMessageContaining("set search_path = elsewhere, shop,public");
			assertThat(schemas()).doesNotContain("elsewhere");
			jdbc().execute("create schema last; create table public.orders (id int)");
			assertThatExceptionOfType(ReadModelTablesException.class).isThrownBy(() -> inTransaction(() -> {
				jdbc().execute("set local search_path = shop, public, last");
				tables().adopt(TABLES, "last", Patience.LONG);
				return true;
			})).withMessageStartingWith("Table 'orders' would be found in schema 'public': the search_path");
		}

		@Test
		void refusesASchemaThatIsNotEmpty() {
			jdbc().execute("create table public.mine (id int)");
			assertThatExceptionOfType(ReadModelTablesException.class).isThrownBy(() -> adopt("public"))
				.withMessageStartingWith("Schema 'public' is not empty: table mine");
		}

		@Test
		void givesUpWhereAReaderHoldsATable() throws Exception {
			try (Connection reader = SchemaRenameIT.this.dataSource.getConnection();
					Statement statement = reader.createStatement()) {
				reader.setAutoCommit(false);
				statement.execute("select * from orders");
				assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> inTransaction(() -> {
					tables().adopt(TABLES, "public", Duration.ofMillis(50));
					return true;
				})).withMessageContaining("lock timeout");
				reader.rollback();
			}
		}

		@Test
		void namesRolesThatMayNotFindThem() {
			jdbc().execute("grant select on orders to " + role());
			assertThat(inTransaction(() -> tables().readersWithout("shop", "shop"))).containsExactly(role());
			jdbc().execute("alter role " + role() + " set search_path = \"$user\", shop");
			assertThat(inTransaction(() -> tables().readersWithout("shop", "shop"))).isEmpty();
			jdbc().execute("do $$ begin execute format('alter role " + role()
					+ " in database %I set search_path = public', current_database()); end $$");
			assertThat(inTransaction(() -> tables().readersWithout("shop", "shop"))).containsExactly(role());
		}

	}

	private JdbcTemplate jdbc() {
		return this.jdbc;
	}

	private ReadModelTables tables() {
		return this.tables;
	}

	private String role() {
		return this.role;
	}

	private void grantCreateOnDatabase() {
		this.jdbc.execute("do $$ begin execute format('grant create on database %I to " + this.role
				+ "', current_database()); end $$");
	}

	private void createNext() {
		inTransaction(() -> {
			this.tables.create("next", TABLES);
			return true;
		});
	}

	private void adopt(String schema) {
		inTransaction(() -> {
			this.tables.adopt(TABLES, schema, Patience.LONG);
			return true;
		});
	}

	private ExchangeWay way() {
		return inTransaction(() -> this.tables.way(TABLES, "shop", "next", "former"));
	}

	private void rename(String from, String to) {
		inTransaction(() -> {
			this.jdbc.execute("set local lock_timeout = '5s'");
			this.tables.exchangeSchemas(TABLES, "shop", from, to);
			return true;
		});
	}

	private String rights(String schema) {
		return String.valueOf(this.jdbc.queryForObject(RIGHTS, String.class, schema));
	}

	private List<String> states(String table) {
		return this.jdbc.queryForList("select state from " + table + " order by id", String.class);
	}

	private List<String> schemas() {
		return this.jdbc.queryForList("select nspname from pg_namespace", String.class);
	}

	private <T> T inTransaction(Supplier<T> work) {
		return this.transaction.execute((status) -> work.get());
	}

}
