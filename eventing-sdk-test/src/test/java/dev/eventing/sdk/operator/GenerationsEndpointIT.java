package dev.eventing.sdk.operator;

import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import dev.eventing.sdk.operator.Http.Answer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.ConnectionCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The generations of a read model over HTTP: a separate schema, columns that readers
 * lose, and a comparison.
 */
class GenerationsEndpointIT {

	private static final String ENDPOINT = OperatorApplication.API + "/projectors";

	private static final String USERS = ENDPOINT + "/users";

	@AutoClose
	private static OperatorApplication open;

	@AutoClose
	private static OperatorApplication strict;

	@BeforeAll
	static void start() {
		open = OperatorApplication.secured("eventing.projector.write-enabled=true");
		strict = OperatorApplication.secured();
	}

	/** One generation is live, and one that differs in a row is ready. */
	@BeforeEach
	void addGenerations() {
		for (OperatorApplication application : List.of(open, strict)) {
			application.jdbc.execute(
					"""
							truncate eventing.projector_nodes, eventing.projection_audit, eventing.projection_requests,
							         eventing.projections, eventing.projection_checks, eventing.projection_lanes,
							         eventing.projector_checkpoints;
							insert into eventing.projector_nodes (projector_name, node, state) values ('users', 'shop:1/a', 'RUNNING');
							insert into eventing.projections
							       (projection_name, generation, status, definition, version, schema_name, tables)
							values ('users', 1, 'LIVE', '', 1, null, '{}'), ('users', 2, 'READY', '', 1, 'users_g2', '{people}');
							insert into eventing.projection_lanes (projection_name, generation, lane, position)
							values ('users', 2, 0, 7);
							insert into eventing.projector_checkpoints (projector_name, position) values ('users', 7), ('users#2', 7);
							drop table if exists public.people;
							drop schema if exists users_g2 cascade;
							create schema users_g2;
							create table public.people (id int primary key, name text, age int);
							create table users_g2.people (id int primary key, name text);
							insert into public.people values (1, 'ada', 36), (2, 'bert', 4);
							insert into users_g2.people values (1, 'ada'), (2, 'berta')""");
		}
	}

	@Test
	void requestsASchemaOfItsOwnForTheLiveTables() {
		JsonNode dry = ada().post(USERS + "/adopt", adopt("people_views", "dryRun", true)).json();
		assertThat(dry.path("dryRun").asBoolean()).isTrue();
		assertThat(requests()).isEmpty();
		JsonNode request = ada().post(USERS + "/adopt", adopt("people_views")).json().path("request");
		assertThat(request.path("action").asString()).isEqualTo("ADOPT");
		assertThat(request.path("schema").asString()).isEqualTo("people_views");
		assertThat(request.path("actor").asString()).isEqualTo("ada");
		assertThat(requests()).containsExactly("ADOPT people_views false");
		Answer second = ada().post(USERS + "/adopt", adopt("people_views"));
		assertThat(second.status()).isEqualTo(409);
		assertThat(second.json().path("error").asString()).isEqualTo("REFUSED");
		assertThat(open.http.get(USERS + "/request").json()).isEqualTo(request);
	}

	@Test
	void refusesASchemaThatIsNoneOfItsOwn() {
		for (String schema : new String[] { "public", "eventing", "Order Views", "pg_views" }) {
			Answer answer = ada().post(USERS + "/adopt", adopt(schema));
			assertThat(answer.status()).as(schema).isEqualTo(400);
			assertThat(answer.json().path("error").asString()).isEqualTo("INVALID_REQUEST");
			assertThat(answer.json().path("message").asString())
				.startsWith("'" + schema + "' is no schema for a read model alone.");
		}
		Answer answer = ada().post(USERS + "/adopt", Map.of("reason", "a test"));
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.json().path("message").asString()).startsWith("A \"toSchema\" is needed.");
		assertThat(requests()).isEmpty();
	}

	@Test
	void requestsASwitchAndARollBackAlthoughReadersLoseColumns() {
		Map<String, Object> back = Map.of("reason", "a test");
		Map<String, Object> wanted = Map.of("generation", 2, "reason", "a test");
		assertThat(ada().post(USERS + "/switch", wanted).json().at("/request/acceptsLostColumns").asBoolean())
			.isFalse();
		cancel();
		Map<String, Object> accepting = new HashMap<>(wanted);
		accepting.put("acceptLostColumns", true);
		assertThat(ada().post(USERS + "/switch", accepting).json().at("/request/acceptsLostColumns").asBoolean())
			.isTrue();
		cancel();
		open.jdbc.execute("update eventing.projections set status = 'STANDBY' where generation = 2");
		assertThat(ada().post(USERS + "/rollback", back).status()).isEqualTo(200);
		cancel();
		accepting.remove("generation");
		assertThat(ada().post(USERS + "/rollback", accepting).status()).isEqualTo(200);
		assertThat(requests()).containsExactly("SWITCH - false", "SWITCH - true", "SWITCH - false", "SWITCH - true");
	}

	@Test
	void comparesTheLiveGenerationWithTheOneBesideIt() {
		JsonNode dry = ada().post(USERS + "/diff", Map.of("dryRun", true)).json();
		assertThat(dry.path("result").isNull()).isTrue();
		assertThat(dry.path("generation").asInt()).isEqualTo(2);
		assertThat(open.http.get(USERS + "/checks").json().toString()).isEqualTo("{\"checks\":[]}");
		JsonNode diff = ada().post(USERS + "/diff", Map.of("reason", "a call")).json();
		assertThat(open.jdbc.queryForObject(
				"select reason from eventing.projection_audit where action = 'CHECK_REQUESTED'", String.class))
			.isEqualTo("a call");
		assertThat(diff.at("/result/answered").asBoolean()).as(diff.toString()).isTrue();
		assertThat(diff.at("/result/generation").asInt()).isEqualTo(2);
		assertThat(diff.path("generation").asInt()).isEqualTo(2);
		assertThat(diff.at("/result/actor").asString()).isEqualTo("ada");
		assertThat(diff.at("/result/found/position").asInt()).isEqualTo(7);
		assertThat(diff.at("/result/found/differences").asInt()).isEqualTo(1);
		assertThat(diff.at("/result/sample/0/key/id").asString()).isEqualTo("2");
		assertThat(diff.at("/tables/0/table").asString()).isEqualTo("people");
		assertThat(diff.at("/tables/0/liveRows").asInt()).isEqualTo(2);
		assertThat(diff.at("/tables/0/onlyInLive/0").asString()).isEqualTo("age");
		assertThat(open.http.get(USERS + "/checks").json().at("/checks/0")).isEqualTo(diff.path("result"));
	}

	@Test
	void requestsChecksOfTheGenerationBesideTheLiveOne() {
		open.jdbc.execute("truncate eventing.projection_check_requests");
		Map<String, Object> wanted = Map.of("generation", 2, "check", "names");
		JsonNode requested = ada().post(USERS + "/reconcile", wanted).json();
		assertThat(open.jdbc.queryForList(
				"select request_id || ' ' || check_name || ' ' || generation from eventing.projection_check_requests",
				String.class))
			.containsExactly(requested.path("request").asString() + " names 2");
		Answer refused = ada().post(USERS + "/reconcile", Map.of("generation", 1));
		assertThat(refused.status()).isEqualTo(409);
		assertThat(refused.json().path("message").asString())
			.isEqualTo("Generation 1 of 'users' is not READY beside the live one.");
	}

	@Test
	void saysWhyThereIsNoAnswer() {
		open.jdbc.execute("update eventing.projector_checkpoints set position = 6 where projector_name = 'users'");
		JsonNode diff = ada().post(USERS + "/diff", Map.of("wait", "0s")).json();
		assertThat(diff.at("/result/answered").asBoolean()).isFalse();
		assertThat(diff.at("/result/found/error").asString())
			.startsWith("The generations have not settled the same events: the live one stands at 6, the other at 7.");
		assertThat(diff.path("tables")).isEmpty();
		Answer tooLong = ada().post(USERS + "/diff", Map.of("wait", "11m"));
		assertThat(tooLong.status()).isEqualTo(400);
		assertThat(tooLong.json().path("message").asString())
			.startsWith("\"wait\" must be between zero and 10 minutes.");
		assertThat(ada().post(USERS + "/diff", Map.of("wait", "-1s")).status()).isEqualTo(400);
		assertThat(ada().post(ENDPOINT + "/user/diff", Map.of()).status()).isEqualTo(404);
		Answer nobody = open.api.post(USERS + "/diff", Map.of());
		assertThat(nobody.status()).isEqualTo(403);
		assertThat(nobody.json().path("message").asString()).contains("no user is logged in");
	}

	@Test
	void comparesOneReadModelAtATime() throws InterruptedException, ExecutionException {
		CompletableFuture<Answer> first = Objects
			.requireNonNull(open.jdbc.execute((ConnectionCallback<CompletableFuture<Answer>>) (connection) -> {
				connection.setAutoCommit(false);
				try (Statement holding = connection.createStatement()) {
					holding.execute("lock table public.people in access exclusive mode");
					CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(GenerationsEndpointIT::diff);
					await().until(() -> !open.jdbc
						.queryForList("select from pg_locks where not granted and relation = 'public.people'::regclass")
						.isEmpty());
					Answer second = diff();
					assertThat(second.status()).isEqualTo(409);
					assertThat(second.json().path("message").asString())
						.startsWith("This node compares two generations already.");
					return waiting;
				}
				finally {
					connection.rollback();
					connection.setAutoCommit(true);
				}
			}));
		assertThat(first.get().json().at("/result/answered").asBoolean()).isTrue();
		assertThat(diff().status()).isEqualTo(200);
	}

	private static Answer diff() {
		return ada().post(USERS + "/diff", Map.of());
	}

	@Test
	void refusesBothUnlessChangesAreAllowed() {
		for (String change : new String[] { "adopt", "diff" }) {
			Map<String, Object> wanted = change.equals("adopt") ? adopt("people_views") : Map.of("reason", "a test");
			Answer answer = strict.ada().post(USERS + "/" + change, wanted);
			assertThat(answer.status()).isEqualTo(403);
			assertThat(answer.json().path("message").asString()).contains("'eventing.projector.write-enabled'");
			for (boolean dryRun : new boolean[] { true, false }) {
				Map<String, Object> scopedWanted = new HashMap<>(wanted);
				scopedWanted.put("dryRun", dryRun);
				Answer scoped = ada().post(USERS + "/" + change + "?tenant=acme", scopedWanted);
				assertThat(scoped.status()).as(change).isEqualTo(403);
				assertThat(scoped.json().path("message").asString()).contains("the events of all tenants");
			}
		}
		assertThat(requests()).isEmpty();
		for (OperatorApplication application : List.of(open, strict)) {
			assertThat(application.jdbc.queryForList("select * from eventing.projection_checks")).isEmpty();
		}
	}

	private static Map<String, Object> adopt(String schema, Object... more) {
		Map<String, Object> wanted = new HashMap<>(Map.of("reason", "a test", "toSchema", schema));
		for (int name = 0; name < more.length; name += 2) {
			wanted.put((String) more[name], more[name + 1]);
		}
		return wanted;
	}

	private static void cancel() {
		assertThat(ada().post(USERS + "/cancel", Map.of("reason", "a test")).json().path("changed").asBoolean())
			.isTrue();
	}

	private static List<String> requests() {
		return open.jdbc.queryForList("""
				select action || ' ' || coalesce(schema_name, '-') || ' ' || accepts_lost_columns
				  from eventing.projection_requests order by request_id""", String.class);
	}

	private static Http ada() {
		return open.ada();
	}

}
