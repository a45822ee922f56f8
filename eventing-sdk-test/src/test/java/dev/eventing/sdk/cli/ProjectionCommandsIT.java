package dev.eventing.sdk.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.cli.CliProgram.Run;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The commands on read models, in the jar that operators run. */
class ProjectionCommandsIT extends ProjectionCommandsSetup {

	@Test
	void requestsARebuildOnceShowsItAndCancelsIt() throws Exception {
		Run dry = projection("rebuild", "orders", "--in-place", "--reason", "a new column", "--dry-run");
		assertThat(dry.exitCode()).as(dry.err()).isZero();
		assertThat(dry.out()).startsWith("Would empty the read model of projector 'orders'").contains("position 35");
		assertThat(jdbc.queryForList("select * from eventing.projection_requests")).isEmpty();
		Run rebuild = projection("rebuild", "orders", "--in-place", "--reason", "a new column", "--actor", "anna");
		assertThat(rebuild.exitCode()).as(rebuild.err()).isZero();
		assertThat(rebuild.out()).startsWith("The rebuild of the read model of projector 'orders' is requested.");
		Run second = projection("rebuild", "orders", "--in-place", "--reason", "again");
		assertThat(second.exitCode()).isEqualTo(1);
		assertThat(second.err()).contains("has a request that waits").doesNotContain("Exception");
		assertThat(projection("show", "orders").out()).contains("generation 1, live, RUNNING, position 35")
			.contains("rebuild in place by anna")
			.contains("(a new column): PENDING");
		JsonNode cancelable = projection("cancel", "orders", "--reason", "not today", "--dry-run", "--json").json();
		assertThat(cancelable.propertyNames()).containsExactly("projector", "changed", "dryRun", "attended");
		assertThat(cancelable.path("changed").asBoolean()).isTrue();
		Run planned = projection("cancel", "orders", "--reason", "not today", "--dry-run");
		assertThat(planned.exitCode()).isZero();
		assertThat(planned.out()).contains("Would cancel the request for the read model of projector 'orders'.");
		Run cancel = projection("cancel", "orders", "--reason", "not today", "--actor", "bert");
		assertThat(cancel.exitCode()).isZero();
		assertThat(cancel.out()).contains("is cancelled");
		for (String[] again : new String[][] { {}, { "--dry-run" } }) {
			List<String> arguments = new ArrayList<>(List.of("cancel", "orders", "--reason", "not today"));
			arguments.addAll(List.of(again));
			Run none = projection(arguments.toArray(String[]::new));
			assertThat(none.exitCode()).isEqualTo(8);
			assertThat(none.out()).contains("No request for projector 'orders' waits.");
		}
		assertThat(projection("show", "orders", "--json").json().path("request").path("status").asString())
			.isEqualTo("CANCELLED");
		JsonNode audit = projection("audit", "orders", "--json").json().path("audit");
		assertThat(audit.valueStream()
			.map((entry) -> entry.path("action").asString() + " by " + entry.path("actor").asString() + ": "
					+ entry.path("reason").asString()))
			.containsExactly("REBUILD_REQUESTED by anna: a new column", "REQUEST_CANCELLED by bert: not today");
	}

	@Test
	void saysThatNoNodeRunsTheProjector() throws Exception {
		Run run = projection("rebuild", "old", "--in-place", "--reason", "a new column", "--watch");
		assertThat(run.exitCode()).isEqualTo(5);
		assertThat(run.err()).contains("No node runs projector 'old' now.");
		assertThat(jdbc.queryForList("select status from eventing.projection_requests", String.class))
			.containsExactly("PENDING");
		Run unknown = projection("rebuild", "orderz", "--in-place", "--reason", "a new column");
		assertThat(unknown.exitCode()).isEqualTo(3);
		assertThat(unknown.err()).contains("No node has ever run a projector 'orderz'").contains("old, orders");
	}

	@Test
	void watchesARequestUntilItHasEnded() throws Exception {
		Run expired = projection("rebuild", "orders", "--in-place", "--reason", "a test", "--expires", "1s", "--watch");
		assertThat(expired.exitCode()).isEqualTo(8);
		assertThat(expired.err()).contains("Not done: EXPIRED");
	}

	@Test
	void looksAtTheEndWhetherANodeRunsTheProjector() throws Exception {
		Process watching = start("rebuild", "orders", "--reason", "a test", "--in-place", "--watch", "--json");
		await().until(() -> jdbc.queryForList("select status from eventing.projection_requests", String.class),
				List.of("PENDING")::equals);
		jdbc.execute("""
				begin;
				truncate eventing.projector_nodes, eventing.leases;
				update eventing.projection_requests set status = 'EXPIRED', ended_at = clock_timestamp();
				commit""");
		Run run = CliProgram.end(this.directory, watching);
		assertThat(run.exitCode()).as(run.err()).isEqualTo(8);
		assertThat(run.json().at("/request/status").asString()).isEqualTo("EXPIRED");
		assertThat(run.json().path("attended").asBoolean(true)).isFalse();
	}

	/** What an adoption asks of the readers holds without a live generation, too. */
	@Test
	void saysBeforehandWhatAnAdoptionAsksOfReaders() throws Exception {
		Run dry = projection("adopt", "orders", "--to-schema", "ledger", "--reason", "shorter switches", "--dry-run");
		assertThat(dry.out()).as(dry.err())
			.contains("The search_path of the application and of all readers must have this schema first. Consider "
					+ "alter role ... set search_path = ledger, public.");
	}

	@Test
	void doesNotTakeABuildForDoneThatFailsWhileItIsWatched() throws Exception {
		Process watching = start("rebuild", "orders", "--reason", "a new column", "--watch");
		await().until(() -> jdbc.queryForList("select status from eventing.projection_requests", String.class),
				List.of("PENDING")::equals);
		jdbc.execute(
				"""
						insert into eventing.projections (projection_name, generation, status, definition, version, failure)
						values ('orders', 2, 'FAILED', '', 1, 'Its handlers write to public.other.');
						update eventing.projection_requests
						   set status = 'DONE', ended_at = clock_timestamp(), detail = 'Generation 2 is filled in orders_g2.'""");
		Run run = CliProgram.end(this.directory, watching);
		assertThat(run.exitCode()).as(run.out()).isEqualTo(8);
		assertThat(run.err()).contains("Not done: generation 2 has failed. Its handlers write to public.other.");
	}

	/** Another operator has retired what was built, and builds another one. */
	@Test
	void watchesItsOwnRequestAndNoneThatFollowsIt() throws Exception {
		Process watching = start("rebuild", "orders", "--reason", "a new column", "--watch");
		await().until(() -> jdbc.queryForList("select status from eventing.projection_requests", String.class),
				List.of("PENDING")::equals);
		jdbc.execute("""
				begin;
				update eventing.projection_requests
				   set status = 'DONE', ended_at = clock_timestamp(), detail = 'Generation 2 is filled in orders_g2.';
				insert into eventing.projections (projection_name, generation, status, definition, version)
				values ('orders', 2, 'RETIRED', '', 1), ('orders', 3, 'BUILDING', '', 1);
				insert into eventing.projection_requests (projection_name, action, actor, reason, expires_at)
				values ('orders', 'RETIRE', 'bert', 'another one', clock_timestamp() + interval '1 hour');
				commit""");
		Run run = CliProgram.end(this.directory, watching);
		assertThat(run.exitCode()).as(run.out()).isEqualTo(8);
		assertThat(run.err())
			.contains("Not done: generation 2 was retired meanwhile. bert has requested RETIRE since.");
	}

	@Test
	void showsTheLastActionsOfALongAudit() throws Exception {
		jdbc.execute("""
				insert into eventing.projection_audit (projection_name, actor, action, reason)
				select 'orders', 'anna', 'PAUSED', 'r' || number from generate_series(1, 150) number""");
		JsonNode audit = projection("audit", "orders", "--json").json().path("audit");
		assertThat(audit).hasSize(100);
		assertThat(audit.at("/0/reason").asString()).isEqualTo("r51");
		assertThat(audit.at("/99/reason").asString()).isEqualTo("r150");
		assertThat(projection("audit", "orders", "--limit", "2").out()).contains("r149", "r150").doesNotContain("r148");
		Run none = projection("audit", "orders", "--limit", "0");
		assertThat(none.exitCode()).isNotZero();
		assertThat(none.err()).contains("'limit' must be 1 to 10000, was 0.").doesNotContain("Exception");
	}

	@Test
	void requestsABuildASwitchARollBackAndARetirement() throws Exception {
		Run plan = projection("rebuild", "orders", "--reason", "a new column", "--dry-run");
		assertThat(plan.out())
			.startsWith("Would build a new generation of the read model of projector 'orders' beside the live one");
		Run build = projection("rebuild", "orders", "--reason", "a new column", "--actor", "anna");
		assertThat(build.exitCode()).as(build.err()).isZero();
		assertThat(build.out()).startsWith("A new generation of the read model of projector 'orders' is requested.");
		assertThat(projection("show", "orders").out()).contains("rebuild beside the live generation by anna");
		projection("cancel", "orders", "--reason", "not today");
		Run none = projection("switch", "orders", "--generation", "2", "--reason", "it is ready");
		assertThat(none.exitCode()).isEqualTo(1);
		assertThat(none.err()).contains("Generation 2 does not stand beside the live one of 'orders'.");
		assertThat(projection("rollback", "orders", "--reason", "wrong").err())
			.contains("No former generation of the read model of projector 'orders' is kept.");
		jdbc.update("""
				insert into eventing.projections (projection_name, generation, status, definition, version, schema_name)
				values ('orders', 1, 'STANDBY', '', 1, 'orders_g1')""");
		assertThat(projection("rollback", "orders", "--reason", "wrong").out())
			.startsWith("To roll the read model of projector 'orders' back is requested.");
		assertThat(projection("show", "orders").out()).contains("switch of generation 1 by").contains("orders_g1");
		projection("cancel", "orders", "--reason", "not today");
		projection("switch", "orders", "--generation", "1", "--reason", "known", "--unchecked");
		assertThat(projection("show", "orders", "--json").json().path("request").path("unchecked").asBoolean())
			.isTrue();
		projection("cancel", "orders", "--reason", "not today");
		assertThat(projection("retire", "orders", "--generation", "1", "--reason", "it is old").out())
			.startsWith("To drop generation 1 of the read model of projector 'orders' is requested.");
		JsonNode shown = projection("show", "orders", "--json").json();
		assertThat(shown.propertyNames()).containsExactly("projector", "request", "ddl", "generations");
		assertThat(shown.at("/generations/0/schema").asString()).isEqualTo("orders_g1");
		JsonNode request = shown.path("request");
		assertThat(request.path("action").asString()).isEqualTo("RETIRE");
		assertThat(request.path("generation").asInt()).isEqualTo(1);
	}

	@Test
	void saysBeforehandThatARollBackIsNotPossible() throws Exception {
		jdbc.execute(
				"""
						insert into eventing.projections
						       (projection_name, generation, status, definition, version, schema_name, tables, note, no_rollback)
						values ('orders', 2, 'LIVE', 'any', 2, null, '{}', null, null),
						       ('orders', 1, 'STANDBY', 'any', 1, 'orders_g1', '{}', 'Its handlers read public.rates.',
						        'No node has it.');
						update eventing.projector_nodes set version = 2;
						insert into eventing.projector_checkpoints (projector_name, position) values ('orders#1', 30)""");
		String note = "Generation 1 of 'orders': Its handlers read public.rates.; cannot roll back: No node has it.";
		assertThat(projection("list").out().lines()).contains(note);
		assertThat(projection("show", "orders").out().lines())
			.contains("Generation 1, standby, NO_NODE: cannot roll back: No node has it.")
			.contains(note.replace(" of 'orders'", ""));
		jdbc.update("update eventing.projections set note = null");
		assertThat(projection("show", "orders").out().lines().filter((line) -> line.contains("cannot roll back")))
			.hasSize(1);
		Run dry = projection("rollback", "orders", "--reason", "wrong", "--dry-run");
		assertThat(dry.exitCode()).isEqualTo(8);
		assertThat(dry.out()).contains("In the way: No node has reported version 1 of the projector in the last 15 s.");
		Run refused = projection("rollback", "orders", "--reason", "wrong");
		assertThat(refused.exitCode()).isEqualTo(1);
		assertThat(refused.err()).contains("Generation 1 of 'orders' cannot become live again. No node has reported");
		jdbc.update("insert into eventing.projector_nodes (projector_name, node, state) "
				+ "values ('orders#1', 'shop:2/b', 'STANDBY')");
		assertThat(projection("rollback", "orders", "--reason", "wrong").exitCode()).isZero();
	}

	@Test
	void looksBeforehandWhatABuildTakesAndWhatStandsInItsWay() throws Exception {
		jdbc.execute("create table if not exists order_totals (id integer primary key)");
		jdbc.execute("create table if not exists order_rows (id integer primary key)");
		jdbc.update("update eventing.projector_nodes set version = 2");
		jdbc.update("""
				insert into eventing.projections (projection_name, generation, status, definition, version, tables)
				values ('orders', 1, 'LIVE', '', 1, '{order_rows,order_totals}')""");
		Run free = projection("rebuild", "orders", "--reason", "a new column", "--dry-run");
		assertThat(free.exitCode()).as(free.err() + free.out()).isZero();
		assertThat(free.out().lines().toList()).satisfiesExactly(
				(line) -> assertThat(line)
					.startsWith("Would build a new generation of the read model of projector 'orders'"),
				(line) -> assertThat(line).matches("LIVE TABLE +SIZE"),
				(line) -> assertThat(line).matches("order_rows +8.0 kB"),
				(line) -> assertThat(line).matches("order_totals +8.0 kB"),
				(line) -> assertThat(line)
					.isEqualTo("The new generation needs about as much: 16.0 kB. The free space of"
							+ " the disk is not known to the database; compare it."));
		assertThat(projection("rebuild", "orders", "--reason", "a new column", "--dry-run", "--json").out().strip())
			.isEqualTo("{\"projector\":\"orders\",\"dryRun\":true,\"attended\":true,\"obstacles\":[],\"notes\":[],"
					+ "\"tables\":{\"order_rows\":8192,\"order_totals\":8192},\"free\":null,\"request\":null}");
		jdbc.execute("create function eventing.free_space() returns bigint language sql as 'select 12345'");
		Run full = projection("rebuild", "orders", "--reason", "a new column", "--dry-run");
		jdbc.execute("drop function eventing.free_space()");
		assertThat(full.exitCode()).isEqualTo(8);
		assertThat(full.out()).contains("needs about as much: 16.0 kB. The disk has 12.1 kB free.")
			.contains(
					"In the way: The disk has 12.1 kB free, and the new tables need about 16.0 kB, as the live ones do.");
		jdbc.execute("create view some_totals as select * from order_totals");
		jdbc.update("""
				insert into eventing.projections (projection_name, generation, status, definition, version, tables)
				values ('old', 1, 'LIVE', '', 1, '{Order_Rows}')""");
		jdbc.update("update eventing.projector_nodes set reported_at = now() - interval '1 minute'");
		Run refused = projection("rebuild", "orders", "--reason", "a new column", "--dry-run");
		assertThat(refused.exitCode()).isEqualTo(8);
		assertThat(refused.out().lines().filter((line) -> line.startsWith("In the way: ")))
			.satisfiesExactly((line) -> assertThat(line)
				.isEqualTo("In the way: Table 'order_rows' is declared by projector 'old', too."
						+ " A generation is for tables that one projector alone writes to. If no application has that"
						+ " projector any more, delete its rows in table 'projections'."),
					(line) -> assertThat(line).contains("'order_totals'").contains("some_totals"),
					(line) -> assertThat(line)
						.isEqualTo("In the way: No node has reported version 1 of the projector, or a"
								+ " newer one, in the last 15 s."));
		jdbc.execute("drop view some_totals");
		Run none = projection("switch", "orders", "--generation", "2", "--reason", "ready", "--dry-run", "--json");
		assertThat(none.exitCode()).isEqualTo(8);
		assertThat(none.json().at("/obstacles/0").asString())
			.isEqualTo("Generation 2 does not stand beside the live one of 'orders'.");
		assertThat(jdbc.queryForList("select * from eventing.projection_requests")).isEmpty();
	}

	@Test
	void setsTheLimitsOfABuild() throws Exception {
		Run build = projection("rebuild", "orders", "--reason", "a new column", "--rate", "500", "--max-size", "10GB",
				"--json");
		assertThat(build.exitCode()).as(build.err()).isZero();
		assertThat(build.json().propertyNames()).containsExactly("projector", "dryRun", "attended", "obstacles",
				"notes", "tables", "free", "request");
		assertThat(build.json().path("attended").asBoolean()).isTrue();
		assertThat(build.json().at("/request/rate").asInt()).isEqualTo(500);
		assertThat(build.json().at("/request/maxBytes").asLong()).isEqualTo(10L << 30);
		assertThat(jdbc.queryForMap("select rate, max_bytes from eventing.projection_requests"))
			.isEqualTo(Map.of("rate", 500, "max_bytes", 10L << 30));
		for (String[] wrong : new String[][] { { "--rate", "0" }, { "--max-size", "much" },
				{ "--rate", "5", "--in-place" } }) {
			List<String> arguments = new ArrayList<>(List.of("rebuild", "orders", "--reason", "a new column"));
			arguments.addAll(List.of(wrong));
			Run refused = projection(arguments.toArray(String[]::new));
			assertThat(refused.exitCode()).isEqualTo(2);
			assertThat(refused.err()).contains("--rate", "--max-size");
		}
	}

	@Test
	void buildsTheReadModelAsItWas() throws Exception {
		jdbc.execute(
				"""
						truncate eventing.events restart identity;
						insert into eventing.events (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at,
						                             recorded_at, payload, metadata)
						select gen_random_uuid(), 'acme', 's', n, 'Noted', now(), now() - (40 - n) * interval '1 hour', '{}', '{}'
						  from generate_series(1, 35) n""");
		for (String until : List.of("30", "2026-01-01T00:00:00Z", "8h")) {
			jdbc.execute("truncate eventing.projection_requests");
			if (until.startsWith("2026")) {
				jdbc.update("update eventing.events set recorded_at = '2025-12-31 23:00Z' where global_position = 1");
			}
			Run build = projection("rebuild", "orders", "--reason", "a question", "--until", until, "--json");
			assertThat(build.exitCode()).as(build.err()).isZero();
			String asked = build.json().at("/request/until").asString();
			if (until.equals("8h")) {
				assertThat(Instant.parse(asked)).isBetween(Instant.now().minus(Duration.ofHours(9)), Instant.now());
			}
			else {
				assertThat(asked).isEqualTo(until);
			}
			assertThat(jdbc.queryForObject(
					"select coalesce(until_position::text, until_time::text) from eventing.projection_requests",
					String.class))
				.startsWith(until.equals("30") ? "30" : "20");
		}
		jdbc.execute("truncate eventing.projection_requests");
		Run dry = projection("rebuild", "orders", "--reason", "a question", "--until", "36", "--dry-run");
		assertThat(dry.exitCode()).isEqualTo(8);
		assertThat(dry.out())
			.startsWith("Would build a new generation of the read model of projector 'orders' beside the "
					+ "live one, as it was at position 36.")
			.contains("In the way: Position 36 is beyond the end of the event store, which is at 35.");
		for (String wrong : List.of("0", "yesterday", "99999999999999999999")) {
			Run refused = projection("rebuild", "orders", "--reason", "a question", "--until", wrong);
			assertThat(refused.exitCode()).as(wrong).isEqualTo(2);
			assertThat(refused.err()).contains("--until: ").doesNotContain("Exception");
		}
		assertThat(projection("rebuild", "orders", "--reason", "a", "--until", "30", "--in-place").exitCode())
			.isEqualTo(2);
		assertThat(projection("rebuild", "orders", "--reason", "a", "--until", "30").exitCode()).isZero();
		jdbc.execute("truncate eventing.projection_requests");
		jdbc.execute(
				"""
						insert into eventing.projections
						       (projection_name, generation, status, definition, version, schema_name, filled_to)
						values ('orders', 1, 'LIVE', 'any', 1, 'public', null), ('orders', 2, 'PAST', 'any', 1, 'orders_g2', 30);
						insert into eventing.projector_checkpoints (projector_name, position) values ('orders#2', 30)""");
		assertThat(projection("list").out()).containsPattern("orders +2 past +1 +STOPPED +30 +orders_g2 ");
		assertThat(projection("show", "orders").out()).containsPattern("2 +1 +PAST +30 +.* orders_g2\n")
			.contains("Generation 2, past, STOPPED: shows the read model as it was at position 30");
		Run switched = projection("switch", "orders", "--generation", "2", "--reason", "a", "--dry-run");
		assertThat(switched.exitCode()).isEqualTo(8);
		assertThat(switched.out()).contains("In the way: Generation 2 of 'orders' shows the read model as it was at "
				+ "position 30, and is never switched to.");
		jdbc.execute("truncate eventing.events restart identity");
	}

	@Test
	void listsTheReadModelsOfAllProjectorsWithTheirGenerations() throws Exception {
		jdbc.execute(
				"""
						insert into eventing.projections
						       (projection_name, generation, status, definition, version, schema_name, live_at)
						values ('orders', 1, 'LIVE', 'any', 1, 'public', now()), ('orders', 2, 'STALE', 'any', 2, 'orders_g2', null);
						insert into eventing.projector_checkpoints (projector_name, position) values ('orders#2', 30)""");
		ledger.add(TOTALS, null, "anna", Duration.ofMillis(5), new Answer(35, 0, List.of()), null);
		ledger.add(STATES, null, "anna", Duration.ofMillis(5), null, "no answer");
		ledger.add(TOTALS, 2, "anna", Duration.ofMillis(5), new Answer(30, 1, List.of("{}")), null);
		Run run = projection("list");
		assertThat(run.exitCode()).as(run.err()).isZero();
		assertThat(run.out().lines().toList()).satisfiesExactly(
				(line) -> assertThat(line).startsWith("PROJECTOR").contains("VERSION", "SCHEMA", "LAST REQUEST"),
				(line) -> assertThat(line).startsWith("old").contains("NO_NODE"),
				(line) -> assertThat(line).startsWith("orders")
					.contains("1 live", "RUNNING", "35", "0 of 2 differ, 1 without an answer"),
				(line) -> assertThat(line).startsWith("orders")
					.contains("2 stale", "orders_g2", "30", "1 of 1 differ, 0 without an answer"));
		JsonNode stale = projection("list", "--json").json().path("projections").get(2);
		assertThat(stale.at("/projector/generation").asInt()).isEqualTo(2);
		assertThat(stale.at("/generation/version").asInt()).isEqualTo(2);
		assertThat(stale.at("/checks/0/found/differences").asInt()).isEqualTo(1);
		assertThat(projection("check", "orders").out()).contains("Check 'order-totals' of generation 2");
		jdbc.execute("truncate eventing.projector_nodes, eventing.projector_checkpoints");
		assertThat(projection("list").exitCode()).isEqualTo(3);
	}

	@Test
	void comparesTheLiveGenerationWithTheOneBesideIt() throws Exception {
		Run none = projection("diff", "orders");
		assertThat(none.exitCode()).isEqualTo(9);
		assertThat(none.out()).contains("has no generation beside the live one that is READY or STANDBY");
		assertThat(projection("diff", "orders", "--dry-run").exitCode()).isEqualTo(8);
		jdbc.execute("truncate eventing.projection_checks, eventing.projection_audit");
		jdbc.execute(
				"""
						create table order_lines (order_id int, line int, sku text, note text, primary key (order_id, line));
						create schema orders_g2;
						create table orders_g2.order_lines (order_id int, line int, sku text, price int, primary key (line, order_id));
						insert into order_lines select n, 1, 'sku-' || n from generate_series(1, 1000) n;
						insert into orders_g2.order_lines select n, 1, 'sku-' || n from generate_series(1, 1000) n;
						insert into eventing.projections (projection_name, generation, status, definition, version, schema_name, tables)
						values ('orders', 2, 'READY', 'any', 2, 'orders_g2', '{order_lines}');
						insert into eventing.projector_checkpoints (projector_name, position) values ('orders#2', 35)""");
		try {
			Run dry = projection("diff", "orders", "--dry-run");
			assertThat(dry.exitCode()).as(dry.err()).isZero();
			assertThat(dry.out())
				.startsWith("Would compare generation 2 of the read model of projector 'orders' with the live one.");
			assertThat(projection("diff", "orders", "--dry-run", "--json").out().strip())
				.isEqualTo("{\"projector\":\"orders\",\"dryRun\":true,\"generation\":2,\"result\":null,\"tables\":[]}");
			assertThat(jdbc.queryForList("select * from eventing.projection_checks")).isEmpty();
			Run equal = projection("diff", "orders", "--actor", "anna", "--reason", "before the switch");
			assertThat(equal.exitCode()).as(equal.err() + equal.out()).isZero();
			assertThat(
					jdbc.queryForMap("select action, generation, actor, reason, detail from eventing.projection_audit"))
				.isEqualTo(Map.of("action", "CHECK_REQUESTED", "generation", 2, "actor", "anna", "reason",
						"before the switch", "detail", "Check 'generation diff'"));
			assertThat(equal.err()).contains("comparing table 'order_lines' at position 35");
			jdbc.execute("""
					update order_lines set sku = 'another' where order_id = 7;
					delete from orders_g2.order_lines where order_id = 8""");
			Run run = projection("diff", "orders", "--actor", "anna");
			assertThat(run.exitCode()).isEqualTo(9);
			assertThat(run.out().lines().toList())
				.anySatisfy((line) -> assertThat(line).matches("order_lines +1000 +999 +2 +note +price"))
				.anySatisfy((line) -> assertThat(line).contains("\"order_id\": \"7\"", "different", "[\"sku\"]"))
				.anySatisfy((line) -> assertThat(line).contains("\"order_id\": \"8\"", "only in the live generation"));
			JsonNode json = projection("diff", "orders", "--json").json();
			assertThat(json.at("/result/found/differences").asInt()).isEqualTo(2);
			assertThat(json.at("/result/check").asString()).isEqualTo("generation diff");
			assertThat(json.at("/tables/0/onlyInOther/0").asString()).isEqualTo("price");
			assertThat(projection("check", "orders").out()).contains("generation diff");
			jdbc.execute("alter table orders_g2.order_lines rename to lines");
			JsonNode unanswered = projection("diff", "orders", "--json").json();
			assertThat(unanswered.at("/result/found/error").asString()).contains("Table 'order_lines'");
			assertThat(unanswered.path("generation").asInt()).isEqualTo(2);
			assertThat(unanswered.at("/result/generation").asInt()).isEqualTo(2);
		}
		finally {
			jdbc.execute("drop schema orders_g2 cascade; drop table order_lines");
		}
	}

}
