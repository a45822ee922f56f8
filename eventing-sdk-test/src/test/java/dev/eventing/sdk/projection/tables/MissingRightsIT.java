package dev.eventing.sdk.projection.tables;

import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The statements that let a role have generations, and no more than that. */
class MissingRightsIT extends ReadModelTablesSetup {

	private static final List<String> SCHEMAS = List.of("orders_g2", "orders_g1");

	@Test
	void letARoleCreateAndExchangeTheTablesToAndFro() {
		List<String> missing = missing(TABLES);
		assertThat(missing).startsWith("create schema orders_g2 authorization " + role())
			.containsSubsequence("create schema orders_g1 authorization " + role(),
					"grant create on schema shop to " + role(), "alter table shop.orders owner to " + role(),
					"alter statistics shop.related owner to " + role())
			.noneMatch((statement) -> statement.contains("database") || statement.contains("force"));
		missing.forEach(jdbc()::execute);
		assertThat(missing(TABLES)).isEmpty();
		asRole(() -> tables().create("orders_g2", TABLES));
		List<List<String>> before = descriptions("shop");
		List<Long> live = oids("shop");
		for (int round = 0; round < 2; round++) {
			asRole(() -> tables().exchange(TABLES, "shop", "orders_g2", "orders_g1", Patience.LONG));
			assertThat(oids("orders_g1")).isEqualTo(live);
			asRole(() -> tables().exchange(TABLES, "shop", "orders_g1", "orders_g2", Patience.LONG));
			assertThat(oids("shop")).isEqualTo(live);
		}
		assertThat(descriptions("shop")).isEqualTo(before);
		assertThat(missing(TABLES)).isEmpty();
		asRole(() -> tables().drop("orders_g2", TABLES));
		assertThat(schemas()).contains("orders_g1").doesNotContain("orders_g2");
	}

	@Test
	void leaveTheFormerOwnerItsRightsAndNobodyWithoutPolicies() {
		String former = "former_" + UUID.randomUUID().toString().substring(0, 8);
		jdbc().execute("create role " + former + "; grant all on schema shop to " + former
				+ "; alter table orders owner to " + former + "; alter table orders no force row level security");
		try {
			assertThat(missing(List.of("orders"))).containsSubsequence("alter table shop.orders owner to " + role(),
					"alter table shop.orders force row level security", "grant all on table shop.orders to " + former);
			missing(List.of("orders")).forEach(jdbc()::execute);
			assertThat(jdbc().queryForObject("select has_table_privilege(?, 'shop.orders', 'select')", Boolean.class,
					former))
				.isTrue();
			assertThat(missing(List.of("orders"))).isEmpty();
		}
		finally {
			jdbc().execute("drop owned by " + former + "; drop role " + former);
		}
	}

	@Test
	void handOverNoSchemaThatHoldsSomethingElse() {
		jdbc().execute("create schema orders_g1; create schema orders_g2; create table orders_g2.notes (note text)");
		assertThat(missing(TABLES)).startsWith("alter schema orders_g1 owner to " + role())
			.noneMatch((statement) -> statement.contains("orders_g2"));
		assertThat(rights().toDrop(role(), TABLES, "orders_g2")).isEmpty();
		assertThat(rights().toDrop(role(), TABLES, "orders_g1"))
			.containsExactly("alter schema orders_g1 owner to " + role());
	}

	@Test
	void needNoRightToCreateInTheFormerSchemaForAMove() {
		assertThat(rights().toMove(role(), List.of("orders"), "shop", "books"))
			.startsWith("create schema books authorization " + role())
			.noneMatch((statement) -> statement.contains("grant create"));
	}

	private List<String> missing(List<String> tables) {
		return rights().toExchange(role(), tables, "shop", SCHEMAS);
	}

	private MissingRights rights() {
		return new MissingRights(jdbc());
	}

	private void asRole(Runnable work) {
		inTransaction(() -> {
			jdbc().execute("set local role " + role());
			work.run();
			return true;
		});
	}

}
