package dev.eventing.sdk.projection.tables;

import java.sql.Statement;
import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** The columns that a switch would lose, by name. */
class TableStructureIT {

	private static final List<String> TABLES = List.of("orders");

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
		this.jdbc.execute("""
				create sequence numbers; create type size as enum ('small', 'large');
				create function tax(fee integer) returns integer language sql immutable return fee / 5;
				create table orders (
				  id bigserial primary key, tenant_id text not null, net integer default 0, state text default 'new',
				  number bigint generated always as identity, gross integer generated always as (net * 2) stored,
				  size size default 'small', counted bigint default nextval('numbers'), fee integer,
				  constraint positive check (net >= 0), check (tax(fee) >= 0)) with (fillfactor = 73);
				alter table orders add constraint later check (fee < 1000) not valid;
				create index by_state on orders (state, lower(tenant_id)) where net > 0;
				create index by_size on orders (tax(fee)) where size = 'small';
				create statistics related on state, tenant_id from orders;
				alter table orders enable row level security;
				create policy own on orders using (tenant_id = current_user);
				comment on table orders is 'orders'""");
		this.jdbc.execute("grant select, insert on orders to " + this.role);
		inTransaction(() -> {
			this.tables.create("next", TABLES);
			return true;
		});
	}

	@Test
	void findsNothingAtACopy() {
		this.jdbc.execute("comment on table orders is 'all orders'; create index mine on next.orders (tenant_id)");
		this.jdbc.execute("alter table next.orders add column added text not null default 'x'");
		assertThat(lost()).isEmpty();
		assertThat(differences()).isEmpty();
	}

	@Test
	void liesWhereTheLiveTableDoesWhateverIsTheDefault() {
		String name = "fast_" + this.role;
		try {
			this.jdbc.execute((ConnectionCallback<Boolean>) (connection) -> {
				try (Statement statement = connection.createStatement()) {
					statement.execute("set allow_in_place_tablespaces = true");
					statement.execute("create tablespace " + name + " location ''");
				}
				return true;
			});
			inTransaction(() -> {
				this.jdbc.execute("set local default_tablespace = " + name);
				this.tables.create("third", TABLES);
				return true;
			});
			assertThat(this.jdbc.queryForList(
					"select relname from pg_class where relnamespace = 'third'::regnamespace and reltablespace <> 0"))
				.isEmpty();
		}
		finally {
			this.jdbc.execute("drop tablespace if exists " + name);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					alter table orders add column note text                              | column 'note' of table 'orders' is missing
					alter table orders alter column net type bigint                      | column 'net' of table 'orders' is integer, not bigint
					alter table next.orders rename column state to status                | column 'state' of table 'orders' is missing
					alter table orders alter column state type text collate "C"          | column 'state' of table 'orders' is text, not text collate "C"
					""")
	void namesColumnsThatReadersWouldLose(String change, String lost) {
		this.jdbc.execute("alter table orders drop column gross; alter table next.orders drop column gross");
		this.jdbc.execute(change);
		assertThat(lost()).contains(lost);
	}

	@Test
	void doesNotNameWhatNeedsALostColumn() {
		this.jdbc.execute("""
				alter table orders add column note text not null default 'x' unique check (note <> '');
				create index on orders (lower(note), net); create policy noted on orders using (note <> '');
				create statistics noted on note, net from orders""");
		this.jdbc.execute("grant update (note) on orders to " + this.role);
		assertThat(lost()).singleElement().isEqualTo("column 'note' of table 'orders' is missing");
		assertThat(differences()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					grant delete on orders to %role                                      | grant of DELETE to %role
					grant select on orders to public                                     | grant of SELECT to public
					grant select on orders to %role with grant option                    | grant of SELECT to %role
					revoke insert on orders from %role                                   | grant of INSERT to %role
					grant update (state) on orders to %role                              | grant of UPDATE (state) to %role
					grant usage on sequence orders_id_seq to %role                       | grant of USAGE on sequence orders_id_seq to %role
					create index by_net on orders (net)                                  | index by_net
					drop index next.by_state; create index by_state on next.orders (net) | index by_state
					alter table orders add constraint small check (net < 9)              | constraint small
					alter table orders add unique (net)                                  | constraint orders_net_key
					create policy other on orders for select using (net > 1)             | policy other
					drop policy own on orders                                            | policy own
					alter policy own on orders using (true)                              | policy own
					alter table orders disable row level security                        | row level security
					alter table orders force row level security                          | row level security
					alter table orders set (fillfactor = 50)                             | setting fillfactor
					alter table orders set (autovacuum_enabled = false)                  | setting autovacuum_enabled
					alter table orders alter column state set default 'old'              | default of column state
					alter table orders alter column tenant_id set default 'x'            | default of column tenant_id
					alter table orders alter column state set not null                   | not null of column state
					alter table orders alter column number set generated by default      | identity of column number
					alter table orders alter column state set statistics 77              | settings of column state
					alter table orders replica identity full                             | replica identity
					alter table orders set unlogged                                      | kind of storage
					create statistics more on net, state from orders                     | statistics more
					""")
	void namesWhatElseDiffers(String change, String thing) {
		this.jdbc.execute(change.replace("%role", this.role));
		assertThat(differences()).singleElement().isEqualTo(thing.replace("%role", this.role) + " of table 'orders'");
		assertThat(lost()).isEmpty();
	}

	@Test
	void namesTheOwnerAndWhatThatChanges() {
		this.jdbc.execute("alter table orders owner to " + this.role);
		assertThat(differences()).contains("owner of table 'orders'")
			.contains("grant of INSERT to " + this.role + " of table 'orders'");
	}

	private List<String> lost() {
		return inTransaction(() -> this.tables.lostColumns(TABLES, "shop", "next"));
	}

	private List<String> differences() {
		return inTransaction(() -> this.tables.differences(TABLES, "shop", "next", TableOrigin.COPY));
	}

	private <T> T inTransaction(Supplier<T> work) {
		return this.transaction.execute((status) -> work.get());
	}

}
