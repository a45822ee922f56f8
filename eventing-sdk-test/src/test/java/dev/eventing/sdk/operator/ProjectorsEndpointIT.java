package dev.eventing.sdk.operator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.eventing.sdk.operator.Http.Answer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Projectors over HTTP in an application that allows changes, one that does not, and one
 * behind a proxy that knows the users.
 */
class ProjectorsEndpointIT {

	private static final String ENDPOINT = OperatorApplication.API + "/projectors";

	private static final String USERS = ENDPOINT + "/users";

	private static final Map<String, Object> PAUSE = Map.of("reason", "a test", "actor", "mallory");

	@AutoClose
	private static OperatorApplication open;

	@AutoClose
	private static OperatorApplication strict;

	@AutoClose
	private static OperatorApplication proxied;

	@BeforeAll
	static void start() {
		open = OperatorApplication.secured("eventing.projector.write-enabled=true");
		strict = OperatorApplication.secured();
		proxied = OperatorApplication.unsecured("eventing.projector.write-enabled=true");
	}

	@BeforeEach
	void addProjector() {
		for (OperatorApplication application : List.of(open, strict, proxied)) {
			application.jdbc.execute("""
					truncate eventing.projector_nodes, eventing.projector_controls, eventing.projection_audit,
					         eventing.projection_requests, eventing.projections, eventing.projection_checks,
					         eventing.projection_check_requests, eventing.projection_inline;
					insert into eventing.projector_nodes (projector_name, node, state, behind_events, behind_seconds)
					values ('users', 'shop:1/a', 'RUNNING', 7, 12.5)""");
		}
	}

	@Test
	void listsProjectors() {
		JsonNode all = strict.http.get(ENDPOINT).json().path("projectors");
		assertThat(all).hasSize(1);
		assertThat(all.at("/0/name").asString()).isEqualTo("users");
		assertThat(all.at("/0/status").asString()).isEqualTo("RUNNING");
		assertThat(all.at("/0/behindEvents").asLong()).isEqualTo(7);
		assertThat(all.at("/0/behindSeconds").asDouble()).isEqualTo(12.5);
		assertThat(strict.http.get(USERS).json()).isEqualTo(all.path(0));
		assertThat(strict.http.get(ENDPOINT + "/nobody").status()).isEqualTo(404);
	}

	@Test
	void pausesAndResumesForTheOneWhoIsLoggedIn() {
		JsonNode paused = ada().post(USERS + "/pause", PAUSE).json();
		assertThat(paused.path("changed").asBoolean()).isTrue();
		assertThat(paused.path("attended").asBoolean()).isTrue();
		assertThat(open.http.get(USERS).json().path("detail").asString()).isEqualTo("paused by ada: a test");
		assertThat(ada().post(USERS + "/pause", PAUSE).json().path("changed").asBoolean()).isFalse();
		JsonNode resumed = ada().post(USERS + "/resume", Map.of()).json();
		assertThat(resumed.path("changed").asBoolean()).isTrue();
		JsonNode audit = open.http.get(USERS + "/audit").json().path("audit");
		assertThat(audit).hasSize(3);
		assertThat(audit.at("/0/actor").asString()).isEqualTo("ada");
		assertThat(audit.at("/2/action").asString()).isEqualTo("RESUMED");
		assertThat(audit.at("/2/actor").asString()).isEqualTo("ada");
	}

	@Test
	void takesTheActorFromTheRequestInAnOpenConsoleAlone() {
		Map<String, Object> resume = Map.of("actor", "a script");
		proxied.api.post(USERS + "/pause", PAUSE);
		assertThat(proxied.api.post(USERS + "/resume", resume).json().path("changed").asBoolean()).isTrue();
		JsonNode audit = proxied.http.get(USERS + "/audit").json().path("audit");
		assertThat(audit.at("/0/actor").asString()).isEqualTo("mallory");
		assertThat(audit.at("/1/action").asString()).isEqualTo("RESUMED");
		assertThat(audit.at("/1/actor").asString()).isEqualTo("a script");
		for (String change : List.of("resume", "diff", "reconcile")) {
			Answer nobody = proxied.api.post(USERS + "/" + change, Map.of());
			assertThat(nobody.status()).as(change).isEqualTo(400);
			assertThat(nobody.json().path("message").asString()).as(change).contains("has no actor");
		}
		for (String change : new String[] { "pause", "resume", "demote", "promote", "rebuild", "backfill", "switch",
				"rollback", "retire", "adopt", "diff", "cancel", "reconcile" }) {
			Answer answer = open.api.post(USERS + "/" + change, PAUSE);
			assertThat(answer.status()).as(change).isEqualTo(403);
			assertThat(answer.json().path("message").asString()).as(change)
				.contains("no user is logged in", "'eventing.console.access=open'");
		}
		assertThat(open.jdbc.queryForList("select * from eventing.projection_audit")).isEmpty();
		assertThat(open.jdbc.queryForList("select * from eventing.projection_requests")).isEmpty();
	}

	@Test
	void demotesAndPromotesAnInlineProjector() {
		assertThat(open.http.get(USERS + "/inline").status()).isEqualTo(404);
		assertThat(ada().post(USERS + "/demote", PAUSE).status()).isEqualTo(404);
		open.jdbc.execute("insert into eventing.projection_inline (projection_name, code) values ('users', 'c')");
		assertThat(open.http.get(USERS + "/inline").json().path("status").asString()).isEqualTo("FOLLOWING");
		JsonNode dry = ada().post(USERS + "/demote", Map.of("reason", "a test", "dryRun", true)).json();
		assertThat(dry.path("changed").asBoolean()).isTrue();
		assertThat(open.http.get(USERS + "/inline").json().path("status").asString()).isEqualTo("FOLLOWING");
		assertThat(ada().post(USERS + "/demote", PAUSE).json().path("changed").asBoolean()).isTrue();
		assertThat(ada().post(USERS + "/demote", PAUSE).json().path("changed").asBoolean()).isFalse();
		assertThat(ada().post(USERS + "/demote", Map.of()).status()).isEqualTo(400);
		assertThat(open.http.get(USERS + "/inline").json().path("status").asString()).isEqualTo("DEMOTED");
		assertThat(ada().post(USERS + "/promote", Map.of()).json().path("changed").asBoolean()).isTrue();
		JsonNode audit = open.http.get(USERS + "/audit").json().path("audit");
		assertThat(audit.at("/0/action").asString()).isEqualTo("DEMOTED");
		assertThat(audit.at("/0/actor").asString()).isEqualTo("ada");
		assertThat(audit.at("/1/action").asString()).isEqualTo("PROMOTED");
	}

	@Test
	void refusesFieldsAndParametersThatItDoesNotKnow() {
		Map<String, Object> real = new HashMap<>(PAUSE);
		real.put("dryrun", true);
		for (String change : List.of("pause", "rebuild", "retire", "diff")) {
			Answer answer = ada().post(USERS + "/" + change, real);
			assertThat(answer.status()).as(change).isEqualTo(400);
			assertThat(answer.json().path("message").asString()).as(change).contains("'dryrun'", "Consider 'dryRun'");
		}
		Map<String, Object> other = Map.of("reason", "r", "generation", 2);
		assertThat(ada().post(USERS + "/pause", other).json().path("message").asString()).as("of another change")
			.contains("no 'generation'");
		for (String path : List.of("?tennant=acme", "/users?tennant=acme", "/users/audit?tennant=acme")) {
			assertThat(open.http.get(ENDPOINT + path).json().path("message").asString("")).as(path)
				.contains("'tennant'", "Consider 'tenant'");
		}
		Map<String, Object> wait = Map.of("wait", "a while");
		assertThat(ada().post(USERS + "/diff", wait).json().path("message").asString(""))
			.contains("'wait' cannot be 'a while'", "2h");
		assertThat(open.jdbc.queryForList("select * from eventing.projector_controls")).isEmpty();
		assertThat(open.jdbc.queryForList("select * from eventing.projection_requests")).isEmpty();
	}

	@Test
	void refusesChangesUnlessTheyAreAllowed() {
		for (String change : new String[] { "pause", "resume", "demote", "promote", "rebuild", "backfill", "switch",
				"rollback", "retire", "cancel" }) {
			Answer answer = strict.ada().post(USERS + "/" + change, PAUSE);
			assertThat(answer.status()).isEqualTo(403);
			assertThat(answer.json().path("error").asString()).isEqualTo("WRITE_REFUSED");
			assertThat(answer.json().path("message").asString()).contains("'eventing.projector.write-enabled'");
		}
		assertThat(strict.jdbc.queryForList("select * from eventing.projector_controls")).isEmpty();
		assertThat(strict.jdbc.queryForList("select * from eventing.projection_requests")).isEmpty();
	}

	/** Of a projector that reads the event store, which has three events. */
	@Test
	void requestsABackfill() {
		storeThreeEvents();
		try {
			Map<String, Object> wanted = Map.of("reason", "r", "types", List.of("Noted", "Other"), "rate", 500);
			JsonNode asked = ada().post(USERS + "/backfill", wanted).json().path("request");
			assertThat(asked.path("action").asString()).isEqualTo("BACKFILL");
			assertThat(asked.path("actor").asString()).isEqualTo("ada");
			assertThat(asked.path("rate").asInt()).isEqualTo(500);
			assertThat(asked.at("/backfill/types").toString()).isEqualTo("[\"Noted\",\"Other\"]");
			assertThat(asked.at("/backfill/progress").isNull()).isTrue();
			assertThat(open.http.get(USERS + "/request").json()).isEqualTo(asked);
			assertThat(open.http.get(USERS + "/request?tenant=acme").json().path("backfill").isNull()).isTrue();
			Map<String, Object> dryRun = new HashMap<>(wanted);
			dryRun.put("dryRun", true);
			assertThat(ada().post(USERS + "/backfill", dryRun).json().at("/obstacles/0").asString())
				.isEqualTo("Projector 'users' has a request that waits.");
			assertThat(ada().post(USERS + "/backfill", wanted).status()).isEqualTo(409);
			ada().post(USERS + "/cancel", PAUSE);
			Answer nothing = ada().post(USERS + "/backfill", PAUSE);
			assertThat(nothing.status()).isEqualTo(400);
			assertThat(nothing.json().path("message").asString()).contains("needs types of events, or a handler");
		}
		finally {
			open.jdbc.execute("truncate eventing.projector_checkpoints, eventing.events");
		}
	}

	private static void storeThreeEvents() {
		open.jdbc.execute("""
				insert into eventing.projector_checkpoints (projector_name, position) values ('users', 3);
				insert into eventing.events (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at,
				                             payload, metadata)
				select gen_random_uuid(), 'acme', 's', n, 'Noted', now(), '{}', '{}' from generate_series(1, 3) n""");
	}

	/** Of a projector that reads the event store, which has three events. */
	@Test
	void requestsTheReadModelAsItWas() {
		storeThreeEvents();
		try {
			long head = Objects.requireNonNull(
					open.jdbc.queryForObject("select max(global_position) from eventing.events", Long.class));
			JsonNode position = ada().post(USERS + "/rebuild", until(head)).json();
			assertThat(position.at("/request/until").asString()).isEqualTo(Long.toString(head));
			assertThat(open.http.get(USERS + "/request").json()).isEqualTo(position.path("request"));
			assertThat(open.http.get(USERS + "/request?tenant=acme").json().path("until").isNull()).isTrue();
			ada().post(USERS + "/cancel", PAUSE);
			String now = Instant.now().toString();
			assertThat(ada().post(USERS + "/rebuild", until(now)).json().at("/request/until").asString())
				.isEqualTo(Instant.parse(now).truncatedTo(ChronoUnit.MICROS).toString());
			ada().post(USERS + "/cancel", PAUSE);
			Answer beyond = ada().post(USERS + "/rebuild", until(head + 1));
			assertThat(beyond.status()).isEqualTo(409);
			assertThat(beyond.json().path("message").asString()).startsWith("Position " + (head + 1) + " is beyond");
			Answer wrong = ada().post(USERS + "/rebuild", until("yesterday"));
			assertThat(wrong.status()).isEqualTo(400);
			assertThat(wrong.json().path("message").asString())
				.isEqualTo("'yesterday' is neither a position nor a time. Consider 1000, or 2026-01-31T13:45:00Z.");
			Map<String, Object> inPlace = new HashMap<>(until(head));
			inPlace.put("inPlace", true);
			assertThat(ada().post(USERS + "/rebuild", inPlace).status()).isEqualTo(400);
		}
		finally {
			open.jdbc.execute("truncate eventing.projector_checkpoints, eventing.events");
		}
		Answer unread = ada().post(USERS + "/rebuild", until(1));
		assertThat(unread.status()).isEqualTo(409);
		assertThat(unread.json().path("message").asString())
			.isEqualTo("Projector 'users' has read no events yet, so nothing can be built as it was.");
	}

	private static Map<String, Object> until(Object until) {
		return Map.of("reason", "r", "limits", Map.of("until", until));
	}

	@Test
	void requestsAndCancelsARebuildForTheOneWhoIsLoggedIn() {
		JsonNode asked = ada().post(USERS + "/rebuild", PAUSE).json();
		assertThat(asked.path("attended").asBoolean()).isTrue();
		assertThat(asked.at("/request/action").asString()).isEqualTo("REBUILD_BESIDE");
		assertThat(asked.at("/request/actor").asString()).isEqualTo("ada");
		JsonNode last = open.http.get(USERS + "/request").json();
		assertThat(last).isEqualTo(asked.path("request"));
		assertThat(last.path("status").asString()).isEqualTo("PENDING");
		Answer second = ada().post(USERS + "/rebuild", PAUSE);
		assertThat(second.status()).isEqualTo(409);
		assertThat(second.json().path("error").asString()).isEqualTo("REFUSED");
		assertThat(ada().post(USERS + "/cancel", PAUSE).json().path("changed").asBoolean()).isTrue();
		assertThat(ada().post(USERS + "/cancel", PAUSE).json().path("changed").asBoolean()).isFalse();
		assertThat(ada().post(USERS + "/rebuild", Map.of("reason", "r", "limits", Map.of("rate", 0))).status())
			.isEqualTo(400);
		JsonNode limited = ada()
			.post(USERS + "/rebuild",
					Map.of("reason", "r", "limits", Map.of("rate", 500, "maxSize", "1GB"), "dryRun", true))
			.json();
		assertThat(limited.at("/obstacles/0").asString())
			.isEqualTo("No node has run the projector with its generations yet.");
		limited = ada().post(USERS + "/rebuild", Map.of("reason", "r", "limits", Map.of("rate", 500, "maxSize", "1GB")))
			.json();
		assertThat(limited.at("/request/rate").asInt()).isEqualTo(500);
		assertThat(limited.at("/request/maxBytes").asLong()).isEqualTo(1L << 30);
		assertThat(ada().post(USERS + "/cancel", PAUSE).json().path("changed").asBoolean()).isTrue();
		JsonNode inPlace = ada().post(USERS + "/rebuild", Map.of("reason", "r", "inPlace", true, "expires", "1h"))
			.json()
			.path("request");
		assertThat(inPlace.path("action").asString()).isEqualTo("REBUILD_IN_PLACE");
		assertThat(Duration.between(Instant.parse(inPlace.path("requestedAt").asString()),
				Instant.parse(inPlace.path("expiresAt").asString())))
			.isCloseTo(Duration.ofHours(1), Duration.ofSeconds(1));
		JsonNode audit = open.http.get(USERS + "/audit").json().path("audit");
		assertThat(audit.at("/0/action").asString()).isEqualTo("BUILD_REQUESTED");
		JsonNode newest = open.http.get(USERS + "/audit?limit=1").json().path("audit");
		assertThat(newest).hasSize(1);
		assertThat(newest.path(0)).isEqualTo(audit.path(audit.size() - 1));
		Answer tooMany = open.http.get(USERS + "/audit?limit=1000000");
		assertThat(tooMany.status()).isEqualTo(400);
		assertThat(tooMany.json().path("message").asString()).isEqualTo("'limit' must be 1 to 10000, was 1000000.");
	}

	/** The end of time is none that a database knows. */
	@Test
	void refusesARequestThatWouldWaitForTooLong() {
		for (String expires : List.of("31d", "999999999d", "0s")) {
			for (String change : List.of("rebuild", "reconcile")) {
				Answer answer = ada().post(USERS + "/" + change, Map.of("reason", "r", "expires", expires));
				assertThat(answer.status()).as(expires).isEqualTo(400);
				assertThat(answer.json().path("message").asString())
					.isEqualTo("\"expires\" must be between one second and 30 days. Consider 10m.");
			}
		}
		assertThat(open.jdbc.queryForList("select * from eventing.projection_requests")).isEmpty();
		assertThat(open.jdbc.queryForList("select * from eventing.projection_check_requests")).isEmpty();
	}

	@Test
	void showsWhatChecksFoundAndRequestsThatTheyRun() {
		addResults();
		JsonNode checks = strict.http.get(USERS + "/checks").json().path("checks");
		assertThat(checks).hasSize(2);
		assertThat(checks.at("/0/check").asString()).isEqualTo("names");
		assertThat(checks.at("/0/answered").asBoolean()).isTrue();
		assertThat(checks.at("/0/found/differences").asInt()).isEqualTo(9);
		assertThat(checks.at("/0/sample")).hasSize(3);
		assertThat(checks.at("/1/found/error").asString()).contains("globex");
		assertThat(strict.http.get(ENDPOINT + "/nobody/checks").status()).isEqualTo(404);
		Map<String, Object> wanted = Map.of("check", "names", "reason", "a call");
		JsonNode dry = ada().post(USERS + "/reconcile", Map.of("check", "names", "dryRun", true)).json();
		assertThat(dry.path("request").isNull()).isTrue();
		assertThat(open.jdbc.queryForList("select * from eventing.projection_check_requests")).isEmpty();
		JsonNode requested = ada().post(USERS + "/reconcile", wanted).json();
		assertThat(requested.at("/checks/0").asString()).isEqualTo("names");
		assertThat(open.jdbc.queryForList("""
				select request_id || ' ' || check_name || ' ' || actor from eventing.projection_check_requests""",
				String.class))
			.containsExactly(requested.path("request").asString() + " names ada");
		assertThat(open.http.get(USERS + "/audit").json().at("/audit/0/action").asString())
			.isEqualTo("CHECK_REQUESTED");
	}

	/** Whatever a caller who is bound to a tenant asks for. */
	@Test
	void nothingOfAnotherTenantAppearsWithinTheScopeOfATenant() {
		addResults();
		for (OperatorApplication application : new OperatorApplication[] { open, strict }) {
			application.jdbc.execute(
					"""
							insert into eventing.projections (projection_name, generation, status, definition, version, schema_name, failure)
							values ('users', 2, 'FAILED', 'any', 1, 'users_g2', 'a value of globex');
							insert into eventing.projection_requests
							       (projection_name, action, status, actor, reason, expires_at, detail)
							values ('users', 'SWITCH', 'FAILED', 'ada', 'a complaint of globex', now(), 'a row of globex');
							insert into eventing.projection_audit (projection_name, actor, action, reason, detail)
							values ('users', 'ada', 'SWITCH_FAILED', 'a complaint of globex', 'a row of globex');
							update eventing.projector_nodes set detail = 'an event of globex'""");
		}
		for (String resource : new String[] { "", "/users", "/users/audit", "/users/generations", "/users/request",
				"/users/checks" }) {
			assertThat(strict.http.get(ENDPOINT + resource).json().toString()).as(resource)
				.matches((all) -> resource.isEmpty() || all.contains("globex"));
			Answer scoped = strict.http.get(ENDPOINT + resource + "?tenant=acme");
			assertThat(scoped.status()).as(resource).isEqualTo(200);
			assertThat(scoped.json().toString()).as(resource).doesNotContain("globex").doesNotContain("nobody's");
		}
		JsonNode checks = strict.http.get(USERS + "/checks?tenant=acme").json().path("checks");
		assertThat(checks).hasSize(2);
		assertThat(checks.at("/0/sample")).hasSize(1);
		assertThat(checks.at("/0/sample/0/id").asString()).isEqualTo("acme's");
		assertThat(checks.at("/0/found").isNull()).isTrue();
		JsonNode projector = strict.http.get(USERS + "?tenant=acme").json();
		assertThat(projector.path("behindEvents").isNull()).isTrue();
		assertThat(projector.path("openLetters").isNull()).isTrue();
		assertThat(projector.path("position").isNull()).isTrue();
		Answer initech = strict.http.get(USERS + "/checks?tenant=initech");
		assertThat(initech.status()).isEqualTo(200);
		assertThat(initech.json().at("/checks/0/sample").isArray()).isTrue();
		assertThat(initech.json().at("/checks/0/sample")).isEmpty();
	}

	@Test
	void nothingIsChangedWithinTheScopeOfATenant() {
		for (String change : new String[] { "pause", "resume", "rebuild", "backfill", "switch", "rollback", "retire",
				"cancel", "reconcile" }) {
			for (boolean dryRun : new boolean[] { true, false }) {
				Answer answer = ada().post(USERS + "/" + change + "?tenant=acme",
						Map.of("reason", "r", "dryRun", dryRun));
				assertThat(answer.status()).as(change).isEqualTo(403);
				assertThat(answer.json().path("message").asString()).contains("the events of all tenants");
			}
		}
		assertThat(open.jdbc.queryForList("select * from eventing.projector_controls")).isEmpty();
		assertThat(open.jdbc.queryForList("select * from eventing.projection_requests")).isEmpty();
		assertThat(open.jdbc.queryForList("select * from eventing.projection_check_requests")).isEmpty();
	}

	private static void addResults() {
		for (OperatorApplication application : new OperatorApplication[] { open, strict }) {
			application.jdbc.execute("""
					insert into eventing.projection_checks
					       (check_name, projector_name, duration_ms, actor, position, differences, sample, error)
					values ('names', 'users', 5, 'ada', 35, 9,
					        '[{"tenant_id": "acme", "id": "acme''s"}, {"tenant_id": "globex", "id": "globex''s"},
					          {"id": "nobody''s"}]', null),
					       ('states', 'users', 5, 'ada', null, null, null, 'invalid value of globex')""");
		}
	}

	@Test
	void showsGenerationsAndRequestsASwitchARollBackAndARetirement() {
		assertThat(ada().post(USERS + "/rollback", PAUSE).json().path("message").asString())
			.isEqualTo("No former generation of the read model of projector 'users' is kept.");
		open.jdbc.execute("""
				insert into eventing.projections (projection_name, generation, status, definition, version, schema_name)
				values ('users', 1, 'STANDBY', '', 1, 'users_g1'), ('users', 2, 'LIVE', '', 1, null)""");
		JsonNode all = open.http.get(USERS + "/generations").json().path("generations");
		assertThat(all).hasSize(2);
		assertThat(all.at("/0/status").asString()).isEqualTo("LIVE");
		assertThat(all.at("/1/generation").asInt()).isEqualTo(1);
		assertThat(all.at("/1/schema").asString()).isEqualTo("users_g1");
		assertThat(open.http.get(ENDPOINT + "/nobody/generations").status()).isEqualTo(404);
		assertThat(open.http.get(USERS + "/request").status()).isEqualTo(404);
		for (String change : new String[] { "switch", "rollback", "retire" }) {
			Map<String, Object> wanted = change.equals("rollback") ? Map.of("reason", "r")
					: Map.of("reason", "r", "generation", 1);
			JsonNode request = ada().post(USERS + "/" + change, wanted).json().path("request");
			assertThat(request.path("action").asString()).isEqualTo(change.equals("retire") ? "RETIRE" : "SWITCH");
			assertThat(request.path("generation").asInt()).isEqualTo(1);
			assertThat(ada().post(USERS + "/cancel", PAUSE).json().path("changed").asBoolean()).isTrue();
		}
		open.jdbc.execute("update eventing.projections set status = 'STALE', failure = 'too old' where generation = 1");
		assertThat(ada().post(USERS + "/rollback", PAUSE).json().path("message").asString())
			.isEqualTo("Generation 1 of 'users' is STALE: too old");
	}

	@Test
	void requestsTheRebuildOfAPart() {
		JsonNode request = ada()
			.post(USERS + "/rebuild", part(Map.of("tenant", "acme", "streams", List.of("s-1", "s-2"))))
			.json()
			.path("request");
		assertThat(request.path("action").asString()).isEqualTo("REBUILD_SCOPE");
		assertThat(request.path("part").asString()).isEqualTo("streams 's-1', 's-2' of tenant 'acme'");
		assertThat(open.http.get(USERS + "/request").json().path("part").asString()).contains("'s-1'");
		assertThat(ada().post(USERS + "/cancel", PAUSE).json().path("changed").asBoolean()).isTrue();
		assertThat(ada()
			.post(USERS + "/rebuild",
					part(Map.of("maxEvents", 5, "window", "2026-01-01T00:00:00Z..2026-01-02T00:00:00Z")))
			.json()
			.at("/request/part")
			.asString()).isEqualTo("the window 2026-01-01T00:00:00Z..2026-01-02T00:00:00Z");
		assertThat(ada().post(USERS + "/cancel", PAUSE).json().path("changed").asBoolean()).isTrue();
		Map<String, Object> noLetter = part(Map.of("letters", List.of("00000000-0000-0000-0000-000000000001")));
		assertThat(ada().post(USERS + "/rebuild", noLetter).json().path("message").asString())
			.contains("is no letter of projector 'users'");
		assertThat(
				ada().post(USERS + "/rebuild", part(Map.of("streams", List.of("s")))).json().path("message").asString())
			.isEqualTo("Streams belong to a tenant. Consider to name it.");
		Map<String, Object> limited = part(Map.of("tenant", "acme"));
		limited.put("limits", Map.of("until", "5"));
		assertThat(ada().post(USERS + "/rebuild", limited).status()).isEqualTo(400);
		Map<String, Object> dry = Map.of("part", Map.of("tenant", "acme"), "dryRun", true);
		JsonNode planned = strict.api.post(USERS + "/rebuild", dry).json();
		assertThat(planned.path("obstacles")).isEmpty();
		assertThat(planned.path("tables").isObject()).isTrue();
		assertThat(strict.jdbc.queryForList("select * from eventing.projection_requests")).isEmpty();
	}

	/** A program that has found nothing to rebuild sends it; all would be more. */
	@Test
	void refusesAPartOfNothing() {
		for (Map<String, Object> nothing : List.<Map<String, Object>>of(Map.of(), Map.of("maxEvents", 5),
				Map.of("tenant", "acme", "streams", List.of()), Map.of("letters", List.of()))) {
			Answer answer = ada().post(USERS + "/rebuild", part(nothing));
			assertThat(answer.status()).as(nothing.toString()).isEqualTo(400);
			assertThat(answer.json().path("message").asString()).containsPattern("Nothing says which|has no element");
		}
		Answer types = ada().post(USERS + "/backfill", Map.of("handler", "on", "types", List.of(), "reason", "r"));
		assertThat(types.status()).isEqualTo(400);
		assertThat(types.json().path("message").asString()).contains("\"types\" has no element");
		assertThat(open.jdbc.queryForList("select * from eventing.projection_requests")).isEmpty();
	}

	private static Map<String, Object> part(Map<String, Object> part) {
		return new HashMap<>(Map.of("reason", "r", "part", part));
	}

	@Test
	void changesNoReadModelForADryRunOrAnIncompleteRequest() {
		Map<String, Object> dry = Map.of("dryRun", true);
		Map<String, Object> dryWithGeneration = Map.of("generation", 2, "dryRun", true);
		for (String change : new String[] { "rebuild", "switch", "rollback", "retire" }) {
			boolean ofOne = change.equals("switch") || change.equals("retire");
			JsonNode planned = strict.api.post(USERS + "/" + change, ofOne ? dryWithGeneration : dry).json();
			assertThat(planned.path("dryRun").asBoolean()).isTrue();
			assertThat(planned.path("attended").asBoolean()).isTrue();
		}
		assertThat(strict.api.post(USERS + "/cancel", dry).json().path("changed").asBoolean()).isFalse();
		assertThat(ada().post(USERS + "/switch", PAUSE).json().path("message").asString()).contains("\"generation\"");
		assertThat(ada().post(USERS + "/rebuild", Map.of()).json().path("message").asString()).contains("\"reason\"");
		assertThat(ada().post(USERS + "/rebuild", Map.of("reason", "r", "expires", "10ms"))
			.json()
			.path("message")
			.asString()).contains("\"expires\"");
		Answer nobody = proxied.api.post(USERS + "/rebuild", Map.of("reason", "r"));
		assertThat(nobody.status()).isEqualTo(400);
		assertThat(nobody.json().path("message").asString()).contains("has no actor");
		for (OperatorApplication application : List.of(open, strict, proxied)) {
			assertThat(application.jdbc.queryForList("select * from eventing.projection_requests")).isEmpty();
		}
	}

	@Test
	void changesNothingForADryRunOrAnIncompleteRequest() {
		Map<String, Object> dry = Map.of("dryRun", true);
		assertThat(strict.api.post(USERS + "/pause", dry).json().path("changed").asBoolean()).isTrue();
		assertThat(open.api.post(USERS + "/resume", dry).json().path("changed").asBoolean()).isFalse();
		assertThat(ada().post(USERS + "/pause", Map.of()).json().path("message").asString()).contains("\"reason\"");
		assertThat(ada().post(ENDPOINT + "/pause", Map.of("reason", "r")).status()).as("of no projector")
			.isEqualTo(404);
		assertThat(ada().post(USERS + "/pause", Map.of("projector", "users", "reason", "r"))
			.json()
			.path("message")
			.asString()).contains("no 'projector'");
		Answer nobody = proxied.api.post(USERS + "/pause", Map.of("reason", "r"));
		assertThat(nobody.status()).isEqualTo(400);
		assertThat(nobody.json().path("message").asString()).contains("has no actor");
		assertThat(ada().post(ENDPOINT + "/user/pause", Map.of("reason", "r")).status()).isEqualTo(404);
		assertThat(ada().post(USERS + "/stop", PAUSE).status()).isEqualTo(404);
		for (OperatorApplication application : List.of(open, proxied)) {
			assertThat(application.jdbc.queryForList("select * from eventing.projector_controls")).isEmpty();
		}
	}

	private static Http ada() {
		return open.ada();
	}

}
