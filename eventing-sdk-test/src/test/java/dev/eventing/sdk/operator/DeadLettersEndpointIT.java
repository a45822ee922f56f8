package dev.eventing.sdk.operator;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.operator.Http.Answer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Actuator endpoint in an application that allows changes and payloads, and one that
 * does not.
 */
@ExtendWith(OutputCaptureExtension.class)
class DeadLettersEndpointIT {

	private static final String ENDPOINT = "/actuator/eventing-deadletters";

	@AutoClose
	private static OperatorApplication open;

	@AutoClose
	private static OperatorApplication strict;

	private static String startUp;

	@BeforeAll
	static void start(CapturedOutput output) {
		open = OperatorApplication.secured("eventing.deadletters.write-enabled=true",
				"eventing.deadletters.show-payload=true");
		strict = OperatorApplication.secured();
		startUp = output.getAll();
	}

	@BeforeEach
	void clear() {
		open.letters.clear();
		strict.letters.clear();
	}

	@Test
	void hasAPathWithADashAndNoWarningAboutItsId() {
		assertThat(open.http.get(ENDPOINT).status()).isEqualTo(200);
		assertThat(open.http.get("/actuator").json().at("/_links/eventingDeadletters/href").asString(""))
			.endsWith(ENDPOINT);
		assertThat(startUp).doesNotContain("invalid characters");
	}

	@Test
	void listsLettersByPages() {
		UUID first = open.letters.add("users", "acme", "a");
		UUID second = open.letters.add("users", "globex", "b");
		UUID third = open.letters.add("users", null, null);
		JsonNode page = open.http.get(ENDPOINT + "?limit=2").json();
		assertThat(ids(page)).containsExactly(third.toString(), second.toString());
		JsonNode last = open.http.get(ENDPOINT + "?limit=2&after=" + page.path("next").asLong()).json();
		assertThat(ids(last)).containsExactly(first.toString());
		assertThat(last.path("next").isNull()).isTrue();
	}

	@Test
	void findsByWhatIsSaid() {
		UUID wanted = open.letters.add("users", "acme", "a");
		open.letters.add("users", "acme", "b");
		open.letters.add("orders", "globex", "a");
		assertThat(ids(open.http
			.get(ENDPOINT + "?projector=users&type=user.created&key=a&status=PARKED"
					+ "&error=java.lang.IllegalStateException&tenant=acme&deadAfter=2026-01-01T00:00:00Z")
			.json())).containsExactly(wanted.toString());
		assertThat(ids(open.http.get(ENDPOINT + "?status=RESOLVED").json())).isEmpty();
		assertThat(open.http.get(ENDPOINT + "?status=LOST").status()).isEqualTo(400);
		assertThat(open.http.get(ENDPOINT + "?limit=0").json().path("message").asString()).contains("'limit'");
	}

	@Test
	void showsALetterWithItsPayloadWhereThatIsAllowed() {
		UUID letterId = open.letters.add("users", "acme", "a");
		JsonNode letter = open.http.get(ENDPOINT + "/" + letterId).json();
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
		Answer answer = strict.http.get(ENDPOINT + "/" + letterId);
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
		JsonNode stats = open.http.get(ENDPOINT + "/stats?interval=PT1M&intervals=60").json();
		assertThat(stats.at("/groups/0/letters").asLong()).isEqualTo(2);
		assertThat(stats.at("/groups/0/tenantId").asString()).isEqualTo("acme");
		assertThat(stats.path("overTime")).hasSize(60);
		assertThat(stats.path("overTime").valueStream().mapToLong((each) -> each.path("letters").asLong()).sum())
			.isEqualTo(3);
	}

	@Test
	void redrivesForTheOneWhoIsLoggedIn() {
		UUID letterId = open.letters.add("users", "acme", "a");
		JsonNode redrive = ada().post(ENDPOINT + "/redrive", Map.of("projector", "users", "actor", "mallory")).json();
		assertThat(redrive.path("letters").asLong()).isEqualTo(1);
		assertThat(redrive.at("/unattended/0").asString()).isEqualTo("users");
		assertThat(open.letters.status(letterId)).isEqualTo("REDRIVING");
		assertThat(open.letters.audit(letterId)).containsExactly("REDRIVE_REQUESTED by ada");
		JsonNode progress = open.http.get(ENDPOINT + "/redrives/" + redrive.path("redriveId").asString()).json();
		assertThat(progress.path("waiting").asLong()).isEqualTo(1);
		assertThat(progress.path("over").asBoolean()).isFalse();
		assertThat(open.http.get(ENDPOINT + "/" + letterId + "/audit").json().at("/audit/0/actor").asString())
			.isEqualTo("ada");
	}

	@Test
	void wantsAnActorWhereNobodyIsLoggedIn() {
		UUID letterId = open.letters.add("users", "acme", "a");
		Map<String, Object> discard = Map.of("letterIds", letterId, "reason", "a test");
		assertThat(open.http.post(ENDPOINT + "/discard", discard).json().path("message").asString())
			.contains("has no actor");
		assertThat(open.letters.status(letterId)).isEqualTo("PARKED");
		Map<String, Object> answered = Map.of("letterIds", letterId, "reason", "a test", "actor", "a script");
		JsonNode discarded = open.http.post(ENDPOINT + "/discard", answered).json();
		assertThat(discarded.path("letters").asLong()).isEqualTo(1);
		assertThat(discarded.path("dryRun").asBoolean(true)).isFalse();
		assertThat(open.letters.audit(letterId)).containsExactly("DISCARDED by a script");
	}

	@Test
	void editsALetter() {
		UUID letterId = open.letters.add("users", "acme", "a");
		Map<String, Object> edit = Map.of("letterIds", letterId, "payload", "{}", "reason", "a test");
		Answer answer = ada().post(ENDPOINT + "/edit", edit);
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
		Map<String, Object> dry = Map.of("letterIds", one + "," + other, "dryRun", true);
		assertThat(open.http.post(ENDPOINT + "/redrive", dry).json().path("letters").asLong()).isEqualTo(2);
		JsonNode discard = open.http.post(ENDPOINT + "/discard", dry).json();
		assertThat(discard.path("letters").asLong()).isEqualTo(2);
		assertThat(discard.path("dryRun").asBoolean()).isTrue();
		assertThat(open.letters.all()).isEqualTo(before);
	}

	@Test
	void refusesAChangeThatDoesNotSayWhichLetters() {
		UUID letterId = open.letters.add("users", "acme", "a");
		for (Map<String, Object> vague : List.<Map<String, Object>>of(Map.of(), Map.of("tenant", "acme"))) {
			Answer answer = ada().post(ENDPOINT + "/redrive", vague);
			assertThat(answer.status()).isEqualTo(400);
			assertThat(answer.json().path("message").asString()).contains("\"all\": true");
		}
		Answer none = ada().post(ENDPOINT + "/redrive", Map.of("letterIds", ""));
		assertThat(none.status()).isEqualTo(200);
		assertThat(none.json().path("letters").asLong()).isZero();
		assertThat(open.letters.status(letterId)).isEqualTo("PARKED");
		assertThat(ada().post(ENDPOINT + "/redrive", Map.of("all", true)).json().path("letters").asLong()).isEqualTo(1);
	}

	/** Misspelt, each of them would do for real, or to all, what was meant for none. */
	@Test
	void refusesFieldsAndParametersThatItDoesNotKnow() {
		UUID letterId = open.letters.add("users", "acme", "a");
		List<String> before = open.letters.all();
		for (String change : List.of("redrive", "discard", "edit")) {
			Answer answer = ada().post(ENDPOINT + "/" + change,
					Map.of("letterIds", letterId, "reason", "r", "dryrun", true));
			assertThat(answer.status()).as(change).isEqualTo(400);
			assertThat(message(answer)).as(change).contains("'dryrun'", "Consider 'dryRun'");
		}
		assertThat(message(ada().post(ENDPOINT + "/discard", Map.of("all", true, "reason", "r", "projectr", "orders"))))
			.contains("'projectr'", "Consider 'projector'");
		assertThat(message(ada().post(ENDPOINT + "/discard?dry-run=true", Map.of("all", true, "reason", "r"))))
			.contains("'dry-run'", "Consider 'dryRun'");
		Map<String, Object> dryEdit = Map.of("letterIds", letterId, "reason", "r", "dryRun", true);
		assertThat(message(ada().post(ENDPOINT + "/edit", dryEdit))).contains("no \"dryRun\"");
		assertThat(open.letters.all()).isEqualTo(before);
		for (String path : List.of("?projecter=users", "/stats?projecter=users", "/" + letterId + "?projecter=acme")) {
			Answer answer = open.http.get(ENDPOINT + path);
			assertThat(answer.status()).as(path).isEqualTo(400);
			assertThat(message(answer)).as(path).contains("'projecter'", "Consider 'projector'");
		}
	}

	@Test
	void namesTheValueThatItCannotRead() {
		UUID letterId = open.letters.add("users", "acme", "a");
		assertThat(message(open.http.get(ENDPOINT + "?status=LOST"))).contains("'status' cannot be 'LOST'", "PARKED");
		assertThat(message(open.http.get(ENDPOINT + "?limit=many"))).contains("'limit' cannot be 'many'", "number");
		assertThat(message(open.http.get(ENDPOINT + "?deadAfter=today"))).contains("'deadAfter'", "2026-01-31T");
		assertThat(message(open.http.get(ENDPOINT + "/stats?interval=soon"))).contains("'interval'", "2h");
		assertThat(open.http.get(ENDPOINT + "/stats?interval=2w").status()).isEqualTo(200);
		for (Map<String, Object> nested : List.<Map<String, Object>>of(
				Map.of("letterIds", List.of(letterId), "reason", "r"),
				Map.of("payload", Map.of("name", "Ada"), "reason", "r"))) {
			Answer answer = ada().post(ENDPOINT + "/edit", nested);
			assertThat(answer.status()).isEqualTo(400);
			assertThat(message(answer)).contains("cannot be an array or an object").doesNotContain("Ada");
		}
		assertThat(ada().post(ENDPOINT + "/discard", "application/json", "{").status()).isEqualTo(400);
		assertThat(open.letters.audit(letterId)).isEmpty();
	}

	@Test
	void showsTheLetterThatOthersOfItsKeyWaitFor() {
		UUID first = open.letters.add("users", "acme", "a");
		UUID second = open.letters.add("users", "acme", "a");
		JsonNode page = open.http.get(ENDPOINT + "?key=a").json().path("letters");
		assertThat(page.at("/0/letterId").asString()).isEqualTo(second.toString());
		assertThat(page.at("/0/behind").asString()).isEqualTo(first.toString());
		assertThat(page.at("/1/behind").isNull()).isTrue();
		assertThat(open.http.get(ENDPOINT + "/" + second).json().at("/letter/behind").asString())
			.isEqualTo(first.toString());
		ada().post(ENDPOINT + "/discard", Map.of("letterIds", first, "reason", "r"));
		assertThat(open.http.get(ENDPOINT + "/" + second).json().at("/letter/behind").isNull()).isTrue();
	}

	private static String message(Answer answer) {
		return answer.json().path("message").asString("");
	}

	@Test
	void refusesChangesUnlessTheyAreAllowed() {
		UUID letterId = strict.letters.add("users", "acme", "a");
		List<String> before = strict.letters.all();
		Map<String, Object> change = Map.of("letterIds", letterId, "reason", "r", "payload", "{}", "actor", "a");
		for (String kind : List.of("redrive", "discard", "edit")) {
			Answer answer = strict.http.as(OperatorApplication.USER, OperatorApplication.PASSWORD)
				.post(ENDPOINT + "/" + kind, change);
			assertThat(answer.status()).isEqualTo(403);
			assertThat(answer.json().path("error").asString()).isEqualTo("WRITE_REFUSED");
			assertThat(answer.json().path("message").asString()).contains("'eventing.deadletters.write-enabled'");
		}
		assertThat(strict.letters.all()).isEqualTo(before);
	}

	@Test
	void keepsATenantAwayFromTheLettersOfOthers() {
		UUID other = open.letters.add("users", "globex", "a");
		UUID nobodys = open.letters.add("users", null, null);
		UUID own = open.letters.add("users", "acme", "a");
		assertThat(ids(open.http.get(ENDPOINT + "?tenant=acme").json())).containsExactly(own.toString());
		assertThat(open.http.get(ENDPOINT + "/stats?tenant=acme").json().path("groups")).hasSize(1);
		for (UUID unseen : List.of(other, nobodys)) {
			assertThat(open.http.get(ENDPOINT + "/" + unseen + "?tenant=acme").status()).isEqualTo(404);
			assertThat(open.http.get(ENDPOINT + "/" + unseen + "/audit?tenant=acme").status()).isEqualTo(404);
			Map<String, Object> change = Map.of("tenant", "acme", "letterIds", unseen, "reason", "r", "payload", "{}");
			assertThat(ada().post(ENDPOINT + "/redrive", change).json().path("letters").asLong()).isZero();
			assertThat(ada().post(ENDPOINT + "/discard", change).json().path("letters").asLong()).isZero();
			assertThat(ada().post(ENDPOINT + "/edit", change).status()).isEqualTo(404);
			assertThat(open.letters.status(unseen)).isEqualTo("PARKED");
			assertThat(open.letters.audit(unseen)).isEmpty();
		}
		JsonNode all = ada().post(ENDPOINT + "/redrive", Map.of("tenant", "acme", "all", true)).json();
		assertThat(all.path("letters").asLong()).isEqualTo(1);
		assertThat(open.letters.status(other)).isEqualTo("PARKED");
		String progress = ENDPOINT + "/redrives/" + all.path("redriveId").asString();
		assertThat(open.http.get(progress + "?tenant=globex").json().path("letters").asLong()).isZero();
	}

	@Test
	void saysWhatIsWrongWithARequest() {
		assertThat(open.http.get(ENDPOINT + "/" + UUID.randomUUID()).status()).isEqualTo(404);
		assertThat(open.http.get(ENDPOINT + "/nonsense").status()).isEqualTo(404);
		assertThat(open.http.get(ENDPOINT + "?tenant=a.b").status()).isEqualTo(400);
		assertThat(ada().post(ENDPOINT + "/burn", Map.of("all", true)).status()).isEqualTo(404);
		assertThat(ada().post(ENDPOINT + "/discard", Map.of("all", true)).json().path("message").asString())
			.contains("\"reason\"");
	}

	private static Http ada() {
		return open.http.as(OperatorApplication.USER, OperatorApplication.PASSWORD);
	}

	private static List<String> ids(JsonNode page) {
		return page.path("letters").valueStream().map((letter) -> letter.path("letterId").asString()).toList();
	}

}
