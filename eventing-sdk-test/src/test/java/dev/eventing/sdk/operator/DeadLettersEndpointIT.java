package dev.eventing.sdk.operator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.operator.Http.Answer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Dead letters over HTTP, as programs ask for them: in an application that allows changes
 * and payloads, one that does not, and one behind a proxy that knows the users.
 */
class DeadLettersEndpointIT {

	private static final String API = OperatorApplication.API;

	private static final String LETTERS = API + "/letters";

	@AutoClose
	private static OperatorApplication open;

	@AutoClose
	private static OperatorApplication strict;

	@AutoClose
	private static OperatorApplication proxied;

	@BeforeAll
	static void start() {
		open = OperatorApplication.secured("eventing.deadletters.write-enabled=true",
				"eventing.deadletters.show-payload=true");
		strict = OperatorApplication.secured();
		proxied = OperatorApplication.unsecured("eventing.deadletters.write-enabled=true");
	}

	@BeforeEach
	void clear() {
		open.letters.clear();
		strict.letters.clear();
		proxied.letters.clear();
	}

	@Test
	void listsLettersByPages() {
		UUID first = open.letters.add("users", "acme", "a");
		UUID second = open.letters.add("users", "globex", "b");
		UUID third = open.letters.add("users", null, null);
		JsonNode page = open.http.get(LETTERS + "?limit=2").json();
		assertThat(ids(page)).containsExactly(third.toString(), second.toString());
		JsonNode last = open.http.get(LETTERS + "?limit=2&after=" + page.path("next").asLong()).json();
		assertThat(ids(last)).containsExactly(first.toString());
		assertThat(last.path("next").isNull()).isTrue();
	}

	@Test
	void findsByWhatIsSaid() {
		UUID wanted = open.letters.add("users", "acme", "a");
		open.letters.add("users", "acme", "b");
		open.letters.add("orders", "globex", "a");
		assertThat(ids(open.http
			.get(LETTERS + "?projector=users&type=user.created&key=a&status=PARKED"
					+ "&error=java.lang.IllegalStateException&tenant=acme&deadAfter=2026-01-01T00:00:00Z")
			.json())).containsExactly(wanted.toString());
		assertThat(ids(open.http.get(LETTERS + "?status=RESOLVED").json())).isEmpty();
		assertThat(open.http.get(LETTERS + "?status=LOST").status()).isEqualTo(400);
		assertThat(open.http.get(LETTERS + "?limit=0").json().path("message").asString()).contains("'limit'");
	}

	@Test
	void showsALetterWithItsPayloadWhereThatIsAllowed() {
		UUID letterId = open.letters.add("users", "acme", "a");
		JsonNode letter = open.http.get(LETTERS + "/" + letterId).json();
		assertThat(letter.at("/letter/letterId").asString()).isEqualTo(letterId.toString());
		assertThat(letter.at("/event/payload/content").asString()).isEqualTo(Letters.PAYLOAD);
		assertThat(letter.at("/event/headers/Authorization/0").asString()).isEqualTo("Bearer 123");
		assertThat(letter.at("/event/payload/encoding").asString("")).isEqualTo("UTF-8");
		assertThat(letter.at("/handling/parkingKey").asString("")).isEqualTo("acme/a");
		assertThat(letter.path("redriver").isNull()).isTrue();
	}

	@Test
	void hidesPayloadAndHeadersElsewhere() {
		UUID letterId = strict.letters.add("users", "acme", "a");
		Answer answer = strict.http.get(LETTERS + "/" + letterId);
		assertThat(answer.text()).doesNotContain("secret of").doesNotContain("Bearer");
		assertThat(answer.json().at("/event/payload/bytes").asInt()).isEqualTo(Letters.PAYLOAD.length());
		assertThat(answer.json().at("/event/payload/content").isNull()).isTrue();
		assertThat(answer.json().at("/event/hiddenHeaders/0").asString()).isEqualTo("Authorization");
		assertThat(answer.json().at("/event/headers/ce-type/0").asString()).isEqualTo("user.created");
	}

	@Test
	void countsByWhatTheyHaveInCommonAndOverTime() {
		open.letters.add("users", "acme", "a");
		open.letters.add("users", "acme", "b");
		open.letters.add("users", "globex", "c");
		JsonNode stats = open.http.get(API + "/stats?interval=PT1M&intervals=60").json();
		assertThat(stats.at("/groups/0/letters").asLong()).isEqualTo(2);
		assertThat(stats.at("/groups/0/tenantId").asString()).isEqualTo("acme");
		assertThat(stats.path("overTime")).hasSize(60);
		assertThat(stats.path("overTime").valueStream().mapToLong((each) -> each.path("letters").asLong()).sum())
			.isEqualTo(3);
	}

	@Test
	void redrivesForTheOneWhoIsLoggedIn() {
		UUID letterId = open.letters.add("users", "acme", "a");
		JsonNode redrive = ada()
			.post(API + "/redrive", Map.of("selection", Map.of("projector", "users"), "actor", "mallory"))
			.json();
		assertThat(redrive.path("letters").asLong()).isEqualTo(1);
		assertThat(redrive.at("/unattended/0").asString()).isEqualTo("users");
		assertThat(open.letters.status(letterId)).isEqualTo("REDRIVING");
		assertThat(open.letters.audit(letterId)).containsExactly("REDRIVE_REQUESTED by ada");
		JsonNode progress = open.http.get(API + "/redrives/" + redrive.path("redriveId").asString()).json();
		assertThat(progress.path("waiting").asLong()).isEqualTo(1);
		assertThat(progress.path("over").asBoolean()).isFalse();
		assertThat(open.http.get(LETTERS + "/" + letterId + "/audit").json().at("/audit/0/actor").asString())
			.isEqualTo("ada");
	}

	@Test
	void wantsAnActorWhereNobodyIsLoggedIn() {
		UUID letterId = proxied.letters.add("users", "acme", "a");
		Map<String, Object> discard = Map.of("selection", only(letterId), "reason", "a test");
		Answer without = proxied.api.post(API + "/discard", discard);
		assertThat(without.status()).isEqualTo(400);
		assertThat(message(without)).contains("has no actor");
		assertThat(proxied.letters.status(letterId)).isEqualTo("PARKED");
		JsonNode discarded = proxied.api.post(API + "/discard", with(discard, "actor", "a script")).json();
		assertThat(discarded.path("letters").asLong()).isEqualTo(1);
		assertThat(discarded.path("dryRun").asBoolean(true)).isFalse();
		assertThat(proxied.letters.audit(letterId)).containsExactly("DISCARDED by a script");
	}

	/** One that failed again meanwhile fits, and nobody has counted it. */
	@Test
	void discardsNothingIfMoreLettersFitThanWereCounted() {
		UUID one = open.letters.add("users", "acme", "a");
		UUID other = open.letters.add("users", "acme", "b");
		Map<String, Object> discard = Map.of("selection", Map.of("letterIds", List.of(one, other)), "reason", "a test");
		Answer refused = ada().post(API + "/discard", with(discard, "most", 1));
		assertThat(refused.status()).isEqualTo(409);
		assertThat(refused.json().path("error").asString()).isEqualTo("CHANGED");
		assertThat(message(refused)).contains("2 letters match now, and not 1");
		assertThat(open.letters.status(one)).isEqualTo("PARKED");
		assertThat(ada().post(API + "/discard", with(discard, "most", 2)).json().path("letters").asLong()).isEqualTo(2);
	}

	/** Anyone could name another there. */
	@Test
	void takesNoActorFromTheRequestWhereTheConsoleIsGuarded() {
		UUID letterId = open.letters.add("users", "acme", "a");
		Map<String, Object> named = Map.of("selection", only(letterId), "reason", "a test", "actor", "a script");
		Answer answer = open.api.post(API + "/discard", named);
		assertThat(answer.status()).isEqualTo(403);
		assertThat(answer.json().path("error").asString()).isEqualTo("WRITE_REFUSED");
		assertThat(message(answer)).contains("no user is logged in", "'eventing.console.access=open'");
		assertThat(open.letters.status(letterId)).isEqualTo("PARKED");
		assertThat(open.letters.audit(letterId)).isEmpty();
	}

	@Test
	void editsALetter() {
		UUID letterId = open.letters.add("users", "acme", "a");
		Map<String, Object> edit = Map.of("payload", "{}", "reason", "a test");
		Answer answer = ada().post(edit(letterId), edit);
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.json().path("letterId").asString("")).isEqualTo(letterId.toString());
		assertThat(open.letters.editedPayload(letterId)).isEqualTo("{}");
		assertThat(open.letters.audit(letterId)).containsExactly("EDITED by ada");
	}

	@Test
	void changesNothingForADryRun() {
		UUID one = open.letters.add("users", "acme", "a");
		UUID other = open.letters.add("users", "acme", "b");
		List<String> before = open.letters.all();
		Map<String, Object> dry = Map.of("selection", Map.of("letterIds", List.of(one, other)), "dryRun", true);
		assertThat(open.api.post(API + "/redrive", dry).json().path("letters").asLong()).isEqualTo(2);
		JsonNode discard = open.api.post(API + "/discard", dry).json();
		assertThat(discard.path("letters").asLong()).isEqualTo(2);
		assertThat(discard.path("dryRun").asBoolean()).isTrue();
		assertThat(open.letters.all()).isEqualTo(before);
	}

	@Test
	void refusesAChangeThatDoesNotSayWhichLetters() {
		UUID letterId = open.letters.add("users", "acme", "a");
		for (String path : List.of("/redrive", "/redrive?tenant=acme")) {
			Answer answer = ada().post(API + path, Map.of());
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.json().path("message").asString()).contains("\"all\": true");
		}
		Answer none = ada().post(API + "/redrive", Map.of("selection", Map.of("letterIds", List.of())));
		assertThat(none.status()).isEqualTo(200);
		assertThat(none.json().path("letters").asLong()).isZero();
		assertThat(open.letters.status(letterId)).isEqualTo("PARKED");
		assertThat(ada().post(API + "/redrive", Map.of("all", true)).json().path("letters").asLong()).isEqualTo(1);
	}

	/** Misspelt, each of them would do for real, or to all, what was meant for none. */
	@Test
	void refusesFieldsAndParametersThatItDoesNotKnow() {
		UUID letterId = open.letters.add("users", "acme", "a");
		List<String> before = open.letters.all();
		for (String change : List.of("/redrive", "/discard")) {
			Answer answer = ada().post(API + change, Map.of("selection", only(letterId), "dryrun", true));
			assertThat(answer.status()).as(change).isEqualTo(400);
			assertThat(message(answer)).as(change).contains("'dryrun'", "Consider 'dryRun'");
		}
		Answer edit = ada().post(edit(letterId), Map.of("reason", "r", "dryrun", true));
		assertThat(edit.status()).isEqualTo(400);
		assertThat(message(edit)).contains("'dryrun'", "there are actor, payload, reason");
		assertThat(message(ada().post(API + "/discard", Map.of("all", true, "reason", "r", "projector", "orders"))))
			.contains("'projector'", "selection");
		assertThat(message(ada().post(API + "/discard",
				Map.of("all", true, "reason", "r", "selection", Map.of("projectr", "orders")))))
			.contains("'projectr'", "Consider 'projector'");
		Map<String, Object> all = Map.of("all", true, "reason", "r");
		assertThat(message(ada().post(API + "/discard", with(all, "dry-run", true)))).contains("'dry-run'",
				"Consider 'dryRun'");
		assertThat(message(ada().post(API + "/discard?dry-run=true", all))).contains("'dry-run'");
		assertThat(message(ada().post(API + "/discard", with(all, "payload", "{}")))).as("of another change")
			.contains("'payload'");
		Map<String, Object> dryEdit = Map.of("reason", "r", "dryRun", true);
		assertThat(message(ada().post(edit(letterId), dryEdit))).contains("no 'dryRun'", "nothing was done");
		assertThat(open.letters.all()).isEqualTo(before);
		for (String path : List.of("/letters?projecter=users", "/stats?projecter=users",
				"/letters/" + letterId + "?projecter=acme")) {
			Answer answer = open.http.get(API + path);
			assertThat(answer.status()).as(path).isEqualTo(400);
			assertThat(message(answer)).as(path).contains("'projecter'");
		}
		assertThat(message(open.http.get(LETTERS + "?projecter=users"))).contains("Consider 'projector'");
		assertThat(message(open.http.get(API + "/stats?projecter=users"))).contains("Consider 'projector'");
		Answer twice = open.http.get(LETTERS + "?tenant=acme&tenant=globex");
		assertThat(twice.status()).isEqualTo(400);
		assertThat(message(twice)).contains("'tenant' is there 2 times");
	}

	@Test
	void namesTheValueThatItCannotRead() {
		UUID letterId = open.letters.add("users", "acme", "a");
		assertThat(message(open.http.get(LETTERS + "?status=LOST"))).contains("'status' cannot be 'LOST'", "PARKED");
		assertThat(message(open.http.get(LETTERS + "?limit=many"))).contains("'limit' cannot be 'many'", "number");
		assertThat(message(open.http.get(LETTERS + "?deadAfter=today"))).contains("'deadAfter'", "2026-01-31T");
		assertThat(message(open.http.get(API + "/stats?interval=soon"))).contains("'interval'", "2h");
		assertThat(open.http.get(API + "/stats?interval=2w").status()).isEqualTo(200);
		Answer payload = ada().post(edit(letterId), Map.of("payload", Map.of("name", "Ada"), "reason", "r"));
		assertThat(payload.status()).isEqualTo(400);
		assertThat(message(payload)).contains("'payload' cannot be an array or an object").doesNotContain("Ada");
		Answer ids = ada().post(API + "/discard", Map.of("selection", Map.of("letterIds", letterId), "reason", "r"));
		assertThat(ids.status()).isEqualTo(400);
		assertThat(message(ids)).contains("'selection.letterIds'", "an array");
		Answer rate = ada().post(API + "/redrive", Map.of("all", true, "ratePerSecond", "many"));
		assertThat(message(rate)).contains("'ratePerSecond' cannot be 'many'", "a whole number");
		assertThat(ada().post(API + "/discard", "application/json", "{").status()).isEqualTo(400);
		assertThat(open.letters.audit(letterId)).isEmpty();
	}

	@Test
	void showsTheLetterThatOthersOfItsKeyWaitFor() {
		UUID first = open.letters.add("users", "acme", "a");
		UUID second = open.letters.add("users", "acme", "a");
		JsonNode page = open.http.get(LETTERS + "?key=a").json().path("letters");
		assertThat(page.at("/0/letterId").asString()).isEqualTo(second.toString());
		assertThat(page.at("/0/behind").asString()).isEqualTo(first.toString());
		assertThat(page.at("/1/behind").isNull()).isTrue();
		assertThat(open.http.get(LETTERS + "/" + second).json().at("/letter/behind").asString())
			.isEqualTo(first.toString());
		ada().post(API + "/discard", Map.of("selection", only(first), "reason", "r"));
		assertThat(open.http.get(LETTERS + "/" + second).json().at("/letter/behind").isNull()).isTrue();
	}

	private static String message(Answer answer) {
		return answer.json().path("message").asString("");
	}

	@Test
	void refusesChangesUnlessTheyAreAllowed() {
		UUID letterId = strict.letters.add("users", "acme", "a");
		List<String> before = strict.letters.all();
		Map.of(API + "/redrive", Map.of("selection", only(letterId), "actor", "a"), API + "/discard",
				Map.of("selection", only(letterId), "reason", "r", "actor", "a"), edit(letterId),
				Map.of("reason", "r", "payload", "{}", "actor", "a"))
			.forEach((path, body) -> {
				Answer answer = strict.ada().post(path, body);
				assertThat(answer.status()).as(path).isEqualTo(403);
				assertThat(answer.json().path("error").asString()).isEqualTo("WRITE_REFUSED");
				assertThat(message(answer)).contains("'eventing.deadletters.write-enabled'");
			});
		assertThat(strict.letters.all()).isEqualTo(before);
	}

	@Test
	void keepsATenantAwayFromTheLettersOfOthers() {
		UUID other = open.letters.add("users", "globex", "a");
		UUID nobodys = open.letters.add("users", null, null);
		UUID own = open.letters.add("users", "acme", "a");
		assertThat(ids(open.http.get(LETTERS + "?tenant=acme").json())).containsExactly(own.toString());
		assertThat(open.http.get(API + "/stats?tenant=acme").json().path("groups")).hasSize(1);
		for (UUID unseen : List.of(other, nobodys)) {
			assertThat(open.http.get(LETTERS + "/" + unseen + "?tenant=acme").status()).isEqualTo(404);
			assertThat(open.http.get(LETTERS + "/" + unseen + "/audit?tenant=acme").status()).isEqualTo(404);
			Map<String, Object> change = Map.of("selection", only(unseen));
			JsonNode redrive = ada().post(API + "/redrive?tenant=acme", change).json();
			assertThat(redrive.path("letters").asLong(-1)).isZero();
			JsonNode discard = ada().post(API + "/discard?tenant=acme", with(change, "reason", "r")).json();
			assertThat(discard.path("letters").asLong(-1)).isZero();
			Map<String, Object> edit = Map.of("reason", "r", "payload", "{}");
			assertThat(ada().post(edit(unseen) + "?tenant=acme", edit).status()).isEqualTo(404);
			assertThat(open.letters.status(unseen)).isEqualTo("PARKED");
			assertThat(open.letters.audit(unseen)).isEmpty();
		}
		JsonNode all = ada().post(API + "/redrive?tenant=acme", Map.of("all", true)).json();
		assertThat(all.path("letters").asLong()).isEqualTo(1);
		assertThat(open.letters.status(other)).isEqualTo("PARKED");
		String progress = API + "/redrives/" + all.path("redriveId").asString();
		assertThat(open.http.get(progress + "?tenant=globex").json().path("letters").asLong()).isZero();
	}

	@Test
	void saysWhatIsWrongWithARequest() {
		assertThat(open.http.get(LETTERS + "/" + UUID.randomUUID()).status()).isEqualTo(404);
		assertThat(open.http.get(API + "/nonsense").status()).isEqualTo(404);
		assertThat(message(open.http.get(LETTERS + "/nonsense"))).contains("'nonsense'", "an id of the list");
		assertThat(open.http.get(LETTERS + "?tenant=a.b").status()).isEqualTo(400);
		assertThat(ada().post(API + "/burn", Map.of("all", true)).status()).isEqualTo(404);
		assertThat(ada().post(API + "/discard", Map.of("all", true)).json().path("message").asString())
			.contains("\"reason\"");
	}

	private static Http ada() {
		return open.ada();
	}

	private static Map<String, Object> only(UUID letterId) {
		return Map.of("letterIds", List.of(letterId));
	}

	private static String edit(UUID letterId) {
		return LETTERS + "/" + letterId + "/payload";
	}

	private static Map<String, Object> with(Map<String, ?> body, String field, Object value) {
		Map<String, Object> all = new HashMap<>(body);
		all.put(field, value);
		return all;
	}

	private static List<String> ids(JsonNode page) {
		return page.path("letters").valueStream().map((letter) -> letter.path("letterId").asString()).toList();
	}

}
