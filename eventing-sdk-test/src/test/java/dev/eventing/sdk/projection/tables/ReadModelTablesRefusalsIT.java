package dev.eventing.sdk.projection.tables;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tables that cannot be copied, or not by this role. */
class ReadModelTablesRefusalsIT extends ReadModelTablesSetup {

	@Test
	void refusesNothingOfTablesThatCanBeCopied() {
		assertThat(refusals(TABLES)).isEmpty();
		assertThat(refusals(List.of("ORDERS"))).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			missing         | Table 'missing' does not exist on the search_path.
			shop.orders     | Table 'shop.orders' is declared with a schema, but handlers
			"shop"."orders" | Table '"shop"."orders"' is declared with a schema
			Order Summary   | 'Order Summary' is not the name of a table
			a;b             | 'a;b' is not the name of a table
			a view          | 'a view' is not the name
			pg_class        | Table 'pg_class' is a table of the system.
			"by State"      | Table '"by State"' is an index.
			odd_name        | Table 'odd_name' is a sequence.
			""")
	void refusesNames(String name, String reason) {
		assertThat(refusals(List.of(name))).singleElement().asString().startsWith(reason);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			create view v as select 1                                           | is a view.
			create materialized view v as select 1                              | is a materialized view.
			create table v (a int) partition by list (a)                        | is a partitioned table.
			create table p (a int) partition by list (a); create table v partition of p default | is a partition of p.
			create table p (a int); create table v () inherits (p)              | is an heir of p.
			create table v (a int); create table c () inherits (v)              | is inherited by c.
			create temporary table v (a int)                                    | is a temporary table.
			create type y as (a int); create table v of y                       | is a table of the type y.
			""")
	void refusesWhatIsNoOrdinaryTable(String creation, String reason) {
		assertThat(inTransaction(() -> {
			jdbc().execute(creation);
			return tables().refusals(List.of("v"), TableOrigin.COPY);
		})).contains("Table 'v' " + reason);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					create trigger tg before update on orders for each row execute function suppress_redundant_updates_trigger() | has the trigger 'tg'.
					create rule ru as on delete to orders do instead nothing             | has the rule 'ru'.
					create table o (id bigint constraint fk references orders)           | is referenced by the foreign key 'fk' of o.
					create table o (id int primary key); alter table orders add constraint fk foreign key (net) references o | has the foreign key 'fk' to o.
					alter table orders add p bigint, add constraint fk foreign key (p) references orders | has the foreign key 'fk' to orders.
					create view vi as select id from orders                              | is used by view vi.
					create view vi as select nextval('orders_id_seq'::regclass)          | is used by view vi.
					create materialized view vi as select id, note from orders group by id | is used by materialized view vi.
					create function fu() returns bigint begin atomic select count(*) from orders; end | is used by function fu().
					create function fu(o orders) returns int language sql return 1       | is used by function fu(orders).
					create table o (list orders[])                                       | is used by column list of table o.
					create table o (id bigint default nextval('orders_id_seq'))          | is used by default value for column id of table o.
					create rule ru as on insert to other do also delete from orders      | is used by table other.
					create policy po on other using (exists (select from orders))        | is used by policy po on table other.
					create policy po on orders using (exists (select from other))        | has the policy 'po', which reads other.
					create table o (id serial); alter table orders add n int default nextval('o_id_seq') | has column 'n', whose default uses sequence o_id_seq of table o.
					create publication pu for table orders                               | is published by publication 'pu'.
					create publication pu for all tables                                 | is published by publication 'pu', which publishes all tables.
					create publication pu for tables in schema shop                      | lies in schema 'shop', which publication 'pu' publishes.
					alter statistics related set schema public                           | has the statistics 'related' in another schema or of another owner.
					alter extension btree_gist add table orders                          | belongs to extension 'btree_gist'.
					""")
	void refusesWhatACopyWouldLose(String change, String reason) {
		jdbc().execute("create table other (id int)");
		jdbc().execute(change);
		assertThat(refusals(List.of("orders", "other"))).contains("Table 'orders' " + reason);
		jdbc().execute("drop extension if exists btree_gist cascade");
	}

	/** Nothing of them is in the log that is published. */
	@Test
	void refusesNoUnloggedTableForAPublicationOfAllTables() {
		jdbc().execute("create unlogged table quick (id int primary key)");
		jdbc().execute("create publication pu for all tables");
		assertThat(refusals(List.of("quick"))).isEmpty();
	}

	@Test
	void refusesTablesOfSeveralSchemasAndOneThatIsDeclaredTwice() {
		jdbc().execute("create table public.elsewhere ()");
		assertThat(refusals(List.of("orders", "Orders", "elsewhere"))).containsExactly(
				"Table 'Orders' is declared twice.",
				"The tables [orders, Orders, elsewhere] lie in several schemas: [public, shop].");
	}

	@Test
	void refusesARoleWithoutTheRights() {
		List<String> refusals = inTransaction(() -> {
			jdbc().execute("set local role " + role());
			return tables().refusals(List.of("orders"), TableOrigin.COPY);
		});
		assertThat(refusals).hasSize(3);
		assertThat(refusals.get(0)).startsWith("Table 'orders' is owned by role '")
			.endsWith("', to which role '" + role() + "' does not belong.");
		assertThat(refusals.get(1))
			.isEqualTo("Table 'orders' lies in schema 'shop', where role '" + role() + "' must not create tables.");
		assertThat(refusals.get(2)).startsWith("Role '" + role() + "' must not create schemas in database '");
	}

}
