package dev.eventing.sdk.operator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.operator.Http.Answer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Erasures over HTTP in an application that allows them, one that does not, and one
 * behind a proxy that knows the users.
 */
class ErasuresEndpointIT {

	private static final String ERASE = OperatorApplication.API + "/erasures";

	private static final Map<String, Object> ANN = Map.of("tenant", "acme", "stream", "customer-ann", "reason",
			"request 4711");

	@AutoClose
	private static OperatorApplication open;

	@AutoClose
	private static OperatorApplication strict;

	@AutoClose
	private static OperatorApplication proxied;

	@BeforeAll
	static void start() {
		open = OperatorApplication.secured("eventing.erasure.write-enabled=true");
		strict = OperatorApplication.secured();
		proxied = OperatorApplication.unsecured("eventing.erasure.write-enabled=true");
	}

	@BeforeEach
	void addStreams() {
		for (OperatorApplication application : List.of(open, strict, proxied)) {
			application.jdbc.execute("""
					truncate eventing.events, eventing.streams, eventing.snapshots, eventing.erasures;
					insert into eventing.streams (tenant_id, stream_id, version)
					values ('acme', 'customer-ann', 2), ('globex', 'customer-ann', 1);
					insert into eventing.events
					  (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
					select gen_random_uuid(), tenant, 'customer-ann', version, 'Named', now(), '{"name": "Ann"}',
					       '{"source": "crm"}'
					  from (values ('acme', 1), ('acme', 2), ('globex', 1)) as e (tenant, version)""");
		}
	}

	@Test
	void showsWhatWouldGoAndChangesNothing() {
		for (OperatorApplication application : List.of(open, strict)) {
			JsonNode dry = ada(application).post(ERASE, with("dryRun", true)).json();
			assertThat(dry.path("dryRun").asBoolean()).as(dry.toString()).isTrue();
			assertThat(dry.at("/erased/events").asInt()).isEqualTo(2);
			assertThat(dry.propertyNames()).containsExactly("tenant", "stream", "known", "dryRun", "erased",
					"notErased", "outside", "pending");
			assertThat(dry.path("known").asBoolean()).isTrue();
			assertThat(contents(application)).isEqualTo(3);
			assertThat(audited(application)).isEmpty();
		}
	}

	@Test
	void erasesForTheOneWhoIsLoggedIn() {
		JsonNode erased = ada(open).post(ERASE, with("yes", true)).json();
		assertThat(erased.path("dryRun").asBoolean(true)).as(erased.toString()).isFalse();
		assertThat(erased.at("/erased/events").asInt()).isEqualTo(2);
		assertThat(erased.path("pending")).isEmpty();
		assertThat(contents(open)).as("of the other tenant").isOne();
		Map<String, Object> again = with("yes", true);
		again.put("actor", "mallory");
		assertThat(ada(open).post(ERASE, again).json().at("/erased/events").asInt(-1)).isZero();
		assertThat(audited(open)).containsExactly("ada: request 4711: 2", "ada: request 4711: 0");
	}

	@Test
	void takesTheActorFromTheRequestInAnOpenConsoleAlone() {
		Map<String, Object> named = with("yes", true);
		named.put("actor", "a script");
		assertThat(proxied.api.post(ERASE, named).json().at("/erased/events").asInt(-1)).isEqualTo(2);
		assertThat(audited(proxied)).containsExactly("a script: request 4711: 2");
		for (Map<String, Object> body : List.of(named, with("dryRun", true))) {
			Answer answer = open.api.post(ERASE, body);
			assertThat(answer.status()).isEqualTo(403);
			assertThat(answer.json().path("message").asString()).contains("no user is logged in");
		}
		assertThat(contents(open)).isEqualTo(3);
		assertThat(audited(open)).isEmpty();
	}

	/** As a gateway adds it to each request of a user. */
	@Test
	void reachesNoOtherTenantThanThatOfTheScope() {
		for (String field : List.of("yes", "dryRun")) {
			Answer other = ada(open).post(ERASE + "?tenant=globex", with(field, true));
			assertThat(other.status()).as(field).isEqualTo(404);
		}
		assertThat(contents(open)).isEqualTo(3);
		assertThat(audited(open)).isEmpty();
		assertThat(ada(open).post(ERASE + "?tenant=acme", with("yes", true)).status()).isEqualTo(200);
		assertThat(contents(open)).isOne();
	}

	/** As the command asks. */
	@Test
	void needsAYes() {
		Answer answer = ada(open).post(ERASE, ANN);
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.json().path("message").asString()).contains("cannot be undone", "\"yes\": true");
		assertThat(ada(open).post(ERASE, with("yes", false)).status()).isEqualTo(400);
		assertThat(contents(open)).isEqualTo(3);
	}

	@Test
	void refusesWhatItDoesNotKnowAndWhatIsMissing() {
		Map<String, Object> misspelt = with("dryrun", true);
		misspelt.put("yes", true);
		assertThat(message(400, misspelt)).contains("'dryrun'", "Consider 'dryRun'");
		for (String needed : ANN.keySet()) {
			Map<String, Object> without = with("yes", true);
			without.remove(needed);
			assertThat(message(400, without)).startsWith("A \"" + needed + "\" is needed");
		}
		Answer nobody = proxied.api.post(ERASE, with("yes", true));
		assertThat(nobody.status()).isEqualTo(400);
		assertThat(nobody.json().path("message").asString()).contains("no actor");
		assertThat(message(400, with("stream", List.of("customer-ann")))).startsWith("'stream' cannot be an array");
		assertThat(contents(open)).isEqualTo(3);
		assertThat(contents(proxied)).isEqualTo(3);
	}

	@Test
	void doesNotFindAStreamThatIsNot() {
		Map<String, Object> other = with("stream", "customer-bob");
		other.put("yes", true);
		assertThat(message(404, other)).contains("Not found.");
		assertThat(ada(open).post(ERASE + "/forget", with("yes", true)).status()).isEqualTo(404);
		assertThat(audited(open)).isEmpty();
	}

	@Test
	void erasesOnlyWhereItIsAllowed() {
		Answer answer = ada(strict).post(ERASE, with("yes", true));
		assertThat(answer.status()).isEqualTo(403);
		assertThat(answer.json().path("error").asString()).isEqualTo("WRITE_REFUSED");
		assertThat(answer.json().path("message").asString()).contains("'eventing.erasure.write-enabled'");
		assertThat(contents(strict)).isEqualTo(3);
	}

	private static Http ada(OperatorApplication application) {
		return application.ada();
	}

	private static String message(int status, Map<String, Object> body) {
		Answer answer = ada(open).post(ERASE, body);
		assertThat(answer.status()).as(answer.text()).isEqualTo(status);
		return answer.json().path("message").asString();
	}

	private static Map<String, Object> with(String field, Object value) {
		Map<String, Object> body = new HashMap<>(ANN);
		body.put(field, value);
		return body;
	}

	private static long contents(OperatorApplication application) {
		return application.jdbc.queryForList("select from eventing.events where payload ->> 'name' = 'Ann'").size();
	}

	private static List<String> audited(OperatorApplication application) {
		return application.jdbc.queryForList(
				"select concat_ws(': ', actor, reason, erased ->> 'events') from eventing.erasures order by erasure_id",
				String.class);
	}

}
