package dev.eventing.sdk.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

import dev.eventing.sdk.cli.CliProgram.Run;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.ledger.CheckRequests.Requested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.atIndex;
import static org.awaitility.Awaitility.await;

/** Checks of read models on the command line. */
class ProjectionChecksIT extends ProjectionCommandsSetup {

	@Test
	void showsTheLastRunOfEachCheckWithItsSample() throws Exception {
		ledger.add(TOTALS, null, "anna", Duration.ofMillis(12), new Answer(30, 0, List.of()), null);
		ledger.add(TOTALS, null, "schedule on a", Duration.ofMillis(15),
				new Answer(35, 2, List.of("{\"order\": \"o-1\"}", "{\"order\": \"o-2\"}")), null);
		ledger.add(STATES, null, "schedule on a", Duration.ofMillis(3), new Answer(35, 0, List.of()), null);
		Run run = projection("check", "orders");
		assertThat(run.exitCode()).as(run.err()).isEqualTo(9);
		assertThat(run.out().lines().toList()).satisfiesExactly(
				(line) -> assertThat(line).startsWith("CHECK").contains("POSITION  DIFFERENCES"),
				(line) -> assertThat(line).matches("order-states +live +\\S+ +35 +0 +3 ms +schedule on a"),
				(line) -> assertThat(line).matches("order-totals +live +\\S+ +35 +2 +15 ms +schedule on a"),
				(line) -> assertThat(line).isEqualTo("Check 'order-totals', the first 2 of 2 differences:"),
				(line) -> assertThat(line).isEqualTo("  {\"order\": \"o-1\"}"),
				(line) -> assertThat(line).isEqualTo("  {\"order\": \"o-2\"}"));
		jdbc.update("""
				insert into eventing.projections (projection_name, generation, status, definition, version, schema_name)
				values ('orders', 2, 'READY', '', 1, 'orders_g2'), ('orders', 3, 'RETIRED', '', 1, null)""");
		ledger.add(STATES, 2, "bert", Duration.ofMillis(3), new Answer(35, 1, List.of("{}")), null);
		ledger.add(STATES, 3, "bert", Duration.ofMillis(3), new Answer(35, 1, List.of("{}")), null);
		assertThat(projection("check", "orders").out().lines().toList())
			.satisfies((line) -> assertThat(line).matches("order-states +live +\\S+ +35 +0 +3 ms .*"), atIndex(1))
			.satisfies((line) -> assertThat(line).matches("order-states +2 +\\S+ +35 +1 +3 ms +bert"), atIndex(2))
			.satisfies((line) -> assertThat(line).startsWith("order-totals"), atIndex(3))
			.contains("Check 'order-states' of generation 2, the first 1 of 1 differences:");
		jdbc.update("delete from eventing.projections");
		JsonNode totals = projection("check", "orders", "--json").json().path("checks").get(1);
		assertThat(totals.path("check").asString()).isEqualTo("order-totals");
		assertThat(totals.propertyNames()).containsExactly("check", "generation", "at", "actor", "answered", "found",
				"sample");
		assertThat(totals.at("/found/differences").asLong()).isEqualTo(2);
		assertThat(totals.path("sample").get(0).path("order").asString()).isEqualTo("o-1");
	}

	@Test
	void endsInOrderOnlyIfEachCheckHasAnAnswerWithoutDifferences() throws Exception {
		Run none = projection("check", "orders");
		assertThat(none.exitCode()).isEqualTo(3);
		assertThat(none.err()).contains("No check of projector 'orders' has run.");
		ledger.add(STATES, null, "anna", Duration.ofMillis(3), new Answer(35, 0, List.of()), null);
		assertThat(projection("check", "orders").exitCode()).isZero();
		ledger.add(TOTALS, null, "anna", Duration.ofMillis(3), null, "The read model is being filled.");
		Run unanswered = projection("check", "orders");
		assertThat(unanswered.exitCode()).isEqualTo(9);
		assertThat(unanswered.out()).contains("Check 'order-totals' has no answer: The read model is being filled.");
	}

	@Test
	void recordsWhoRequestedAChecksRunAndWhy() throws Exception {
		projection("reconcile", "orders", "--check", "order-totals", "--expires", "1s", "--actor", "anna", "--reason",
				"a call of a customer");
		JsonNode audit = projection("audit", "orders", "--json").json().path("audit").get(0);
		assertThat(audit.propertyNames()).containsExactly("at", "generation", "actor", "action", "reason", "detail");
		assertThat(audit.path("action").asString()).isEqualTo("CHECK_REQUESTED");
		assertThat(audit.path("actor").asString()).isEqualTo("anna");
		assertThat(audit.path("reason").asString()).isEqualTo("a call of a customer");
		assertThat(audit.path("detail").asString()).isEqualTo("Check 'order-totals'");
	}

	@Test
	void looksBeforehandWhatWouldRun() throws Exception {
		Run all = projection("reconcile", "orders", "--dry-run");
		assertThat(all.exitCode()).as(all.err()).isZero();
		assertThat(all.out()).startsWith("Would have a node run all checks of projector 'orders'.");
		assertThat(projection("reconcile", "orders", "--check", "order-totals", "--dry-run").out())
			.startsWith("Would have a node run check 'order-totals' of projector 'orders'.");
		Run none = projection("reconcile", "old", "--dry-run", "--json");
		assertThat(none.exitCode()).isEqualTo(5);
		assertThat(none.out().strip()).isEqualTo("{\"projector\":\"old\",\"dryRun\":true,\"attended\":false,"
				+ "\"request\":null,\"checks\":[],\"expiresAt\":null}");
		assertThat(jdbc.queryForList("select * from eventing.projection_check_requests")).isEmpty();
		assertThat(jdbc.queryForList("select * from eventing.projection_audit")).isEmpty();
	}

	@Test
	void saysThatNoNodeHasTheRequestedCheck() throws Exception {
		Run none = projection("reconcile", "orders", "--check", "order-totalz", "--expires", "2s", "--watch");
		assertThat(none.exitCode()).isEqualTo(5);
		assertThat(none.err()).contains("No node has check 'order-totalz' of projector 'orders'")
			.contains("The request has expired.");
		Run unknown = projection("reconcile", "orderz");
		assertThat(unknown.exitCode()).isEqualTo(3);
		Run blank = projection("reconcile", "orders", "--actor", " ");
		assertThat(blank.exitCode()).isEqualTo(1);
		assertThat(jdbc.queryForList("select check_name from eventing.projection_check_requests", String.class))
			.containsExactly("order-totalz");
	}

	/** Without the id a script does not find the request again. */
	@Test
	void namesTheRequestThatNoNodeHasTaken() throws Exception {
		Run none = projection("reconcile", "orders", "--check", "order-totalz", "--expires", "2s", "--json");
		assertThat(none.exitCode()).as(none.err()).isEqualTo(5);
		assertThat(none.err()).contains("The request has expired.");
		assertThat(assertRequest(none.json(), true).at("/checks/0").asString()).isEqualTo("order-totalz");
		Run all = projection("reconcile", "old", "--expires", "2s", "--json", "--watch");
		assertThat(all.exitCode()).as(all.err()).isEqualTo(5);
		assertThat(assertRequest(all.json(), false).path("checks").isEmpty()).isTrue();
	}

	private static JsonNode assertRequest(JsonNode json, boolean attended) {
		assertThat(json.propertyNames()).containsExactly("projector", "dryRun", "attended", "request", "checks",
				"expiresAt");
		assertThat(json.path("dryRun").asBoolean(true)).isFalse();
		assertThat(json.path("attended").asBoolean(!attended)).isEqualTo(attended);
		assertThat(json.path("checks").isArray()).isTrue();
		assertThat(requests.rows(UUID.fromString(json.path("request").asString()))).singleElement()
			.extracting(Requested::expiresAt)
			.isEqualTo(Instant.parse(json.path("expiresAt").asString()));
		return json;
	}

	@Test
	void runsChecksOnANodeAndPrintsWhatTheyFound() throws Exception {
		Process watching = start("reconcile", "orders", "--actor", "anna", "--watch");
		Requested all = awaitOpen(Requested::isAll);
		assertThat(all.actor()).isEqualTo("anna");
		requests.expand(all, List.of("order-states", "order-totals"));
		assertThat(requests.open(List.of("other"))).isEmpty();
		ledger.add(STATES, null, "anna", Duration.ofMillis(3), new Answer(35, 0, List.of()), null);
		requests.answer(awaitOpen((each) -> each.check().equals("order-states")));
		ledger.add(TOTALS, null, "anna", Duration.ofMillis(4), new Answer(36, 1, List.of("{\"order\": \"o-1\"}")),
				null);
		requests.answer(awaitOpen((each) -> each.check().equals("order-totals")));
		Run run = CliProgram.end(this.directory, watching);
		assertThat(run.exitCode()).as(run.err()).isEqualTo(9);
		assertThat(run.out().lines().toList()).satisfiesExactly((line) -> assertThat(line).startsWith("CHECK"),
				(line) -> assertThat(line).matches("order-states +live +\\S+ +35 +0 +3 ms +anna"),
				(line) -> assertThat(line).matches("order-totals +live +\\S+ +36 +1 +4 ms +anna"),
				(line) -> assertThat(line).isEqualTo("Check 'order-totals', the first 1 of 1 differences:"),
				(line) -> assertThat(line).isEqualTo("  {\"order\": \"o-1\"}"));
		assertThat(requests.open(List.of("orders"))).isEmpty();
	}

	@Test
	void runsChecksOnAGenerationBesideTheLiveOne() throws Exception {
		Run refused = projection("reconcile", "orders", "--generation", "2");
		assertThat(refused.exitCode()).isEqualTo(1);
		assertThat(refused.err()).contains("Generation 2 of 'orders' is not READY beside the live one.");
		assertThat(requests.open(List.of("orders"))).isEmpty();
		jdbc.update("""
				insert into eventing.projections (projection_name, generation, status, definition, version, schema_name)
				values ('orders', 2, 'READY', '', 1, 'orders_g2')""");
		Process watching = start("reconcile", "orders", "--generation", "2", "--actor", "anna", "--watch");
		Requested all = awaitOpen(Requested::isAll);
		assertThat(all.generation()).isEqualTo(2);
		requests.expand(all, List.of("order-states"));
		Requested states = awaitOpen((each) -> each.check().equals("order-states"));
		assertThat(states.generation()).isEqualTo(2);
		ledger.add(STATES, 2, "anna", Duration.ofMillis(3), new Answer(35, 1, List.of("{}")), null);
		ledger.add(STATES, null, "bert", Duration.ofMillis(3), new Answer(35, 0, List.of()), null);
		requests.answer(states);
		Run run = CliProgram.end(this.directory, watching);
		assertThat(run.exitCode()).as(run.err()).isEqualTo(9);
		assertThat(run.out()).contains("Check 'order-states' of generation 2, the first 1 of 1 differences:");
		assertThat(projection("audit", "orders", "--json").json().at("/audit/0/generation").asInt()).isEqualTo(2);
	}

	@Test
	void endsWithoutTheResultWhereNobodyWaitsForIt() throws Exception {
		Process process = start("reconcile", "orders", "--check", "order-totals", "--json");
		requests.take(awaitOpen((each) -> each.check().equals("order-totals")));
		Run run = CliProgram.end(this.directory, process);
		assertThat(run.exitCode()).as(run.err()).isZero();
		JsonNode taken = run.json();
		assertThat(taken.path("checks").get(0).asString()).isEqualTo("order-totals");
		assertThat(taken.path("attended").asBoolean()).isTrue();
		assertThat(requests.rows(UUID.fromString(taken.path("request").asString()))).singleElement()
			.extracting(Requested::expiresAt)
			.isEqualTo(Instant.parse(taken.path("expiresAt").asString()));
		assertThat(requests.open(List.of("orders"))).hasSize(1);
		Process watching = start("reconcile", "orders", "--check", "order-states", "--expires", "5s", "--watch",
				"--json");
		requests.take(awaitOpen((each) -> each.check().equals("order-states")));
		Run expired = CliProgram.end(this.directory, watching);
		assertThat(expired.exitCode()).isEqualTo(8);
		assertThat(assertRequest(expired.json(), true).at("/checks/0").asString()).isEqualTo("order-states");
		assertThat(expired.err()).contains("Not done: no node has run 'order-states' of projector 'orders'");
	}

	private static Requested awaitOpen(Predicate<Requested> which) {
		return await()
			.until(() -> requests.open(List.of("orders")).stream().filter(which).findFirst(), Optional::isPresent)
			.orElseThrow();
	}

}
