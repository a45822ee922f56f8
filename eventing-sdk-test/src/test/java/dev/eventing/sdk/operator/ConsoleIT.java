package dev.eventing.sdk.operator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.autoconfigure.StartRefusedException;
import dev.eventing.sdk.operator.Http.Answer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * The answers to the console's page, with Spring Security and without it. The page itself
 * is tested in a browser.
 */
class ConsoleIT {

	private static final String CONSOLE = "/eventing/console";

	private static final String API = OperatorApplication.API;

	@AutoClose
	private static OperatorApplication secured;

	@AutoClose
	private static OperatorApplication unsecured;

	@BeforeAll
	static void start() {
		secured = OperatorApplication.withTokens("eventing.deadletters.write-enabled=true",
				"eventing.deadletters.show-payload=true");
		unsecured = OperatorApplication.unsecured("eventing.deadletters.write-enabled=true");
	}

	@BeforeEach
	void clear() {
		secured.letters.clear();
		unsecured.letters.clear();
	}

	@Test
	void servesItsPageAndLeadsToIt() {
		Answer withoutSlash = unsecured.http.get(CONSOLE);
		assertThat(withoutSlash.status()).isEqualTo(302);
		assertThat(withoutSlash.header("Location")).isEqualTo("console/");
		assertThat(unsecured.http.get(CONSOLE + "/").text()).startsWith("<!doctype html>").contains("console.js");
		assertThat(unsecured.http.get(CONSOLE + "/console.css").header("Content-Type")).startsWith("text/css");
		assertThat(unsecured.http.get(CONSOLE + "/console.js").header("Content-Type")).startsWith("text/javascript");
		assertThat(unsecured.http.get(CONSOLE + "/console.svg").header("Content-Type")).isEqualTo("image/svg+xml");
	}

	@Test
	void letsThePageRunNothingButItsOwnScript() {
		UUID letterId = unsecured.letters.add("users", "acme", "a");
		for (String path : List.of("", "/", "/console.js", "/console.css", "/console.svg", "/api/session",
				"/api/letters", "/api/letters/" + letterId, "/api/letters/nonsense")) {
			Answer answer = unsecured.http.get(CONSOLE + path);
			assertThat(answer.header("Content-Security-Policy")).as(path)
				.startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
				.contains("frame-ancestors 'none'")
				.doesNotContain("unsafe");
			assertThat(answer.header("X-Content-Type-Options")).as(path).isEqualTo("nosniff");
		}
		assertThat(unsecured.http.get(CONSOLE + "/").text()).doesNotContainPattern("<script(?! src=\"console.js\")")
			.doesNotContainPattern("style=|<style|\\son[a-z]+=|https?://");
		assertThat(unsecured.http.get(CONSOLE + "/console.js").text())
			.doesNotContainPattern("innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(|new Function");
	}

	@Test
	void servesNoOtherFile() {
		for (String path : List.of("/console.html", "/../console/console.js", "/..%2f..%2fapplication.properties",
				"/%2e%2e/spring.factories", "/..%252f..%252fspring.factories", "/....//spring.factories",
				"//etc/passwd", "/console.js/", "/console.js%00.css", "/META-INF/spring.factories", "/api", "/api/")) {
			assertThat(unsecured.http.get(CONSOLE + path).status()).as(path).isIn(400, 404);
		}
	}

	/** A program could name an actor; the page has none to name. */
	@Test
	void onlyLooksWithoutSpringSecurity() {
		looksOnly(unsecured, 400, "has no actor");
	}

	@Test
	void onlyLooksWhileNobodyIsLoggedIn() {
		looksOnly(secured, 403, "no user is logged in");
	}

	private static void looksOnly(OperatorApplication application, int status, String message) {
		UUID letterId = application.letters.add("users", "acme", "a");
		List<String> before = application.letters.all();
		JsonNode session = application.http.get(API + "/session").json();
		assertThat(session.path("user").isNull()).isTrue();
		assertThat(session.path("readOnly").asString()).contains("no user is logged in");
		assertThat(application.http.get(API + "/letters").json().path("letters")).hasSize(1);
		Map.of("/redrive", Map.<String, Object>of("all", true), "/discard",
				Map.<String, Object>of("all", true, "reason", "r"), "/letters/" + letterId + "/payload",
				Map.<String, Object>of("payload", "{}", "reason", "r"))
			.forEach((change, body) -> {
				Answer answer = change(application.http, change, "", body);
				assertThat(answer.status()).as(change).isEqualTo(status);
				assertThat(answer.json().path("message").asString()).contains(message);
			});
		assertThat(application.letters.all()).isEqualTo(before);
	}

	@Test
	void redrivesDiscardsAndEditsForTheOneWhoIsLoggedIn() {
		UUID redriven = secured.letters.add("users", "acme", "a");
		UUID discarded = secured.letters.add("users", "acme", "b");
		JsonNode redrive = change(ada(), "/redrive", "", Map.of("selection", Map.of("letterIds", List.of(redriven))))
			.json();
		assertThat(redrive.path("letters").asLong()).isEqualTo(1);
		assertThat(ada().get(API + "/redrives/" + redrive.path("redriveId").asString()).json().path("waiting").asLong())
			.isEqualTo(1);
		change(ada(), "/letters/" + discarded + "/payload", "", Map.of("payload", "{}", "reason", "r"));
		change(ada(), "/discard", "", Map.of("selection", Map.of("letterIds", List.of(discarded)), "reason", "r"));
		assertThat(secured.letters.audit(redriven)).containsExactly("REDRIVE_REQUESTED by ada");
		assertThat(secured.letters.audit(discarded)).containsExactly("EDITED by ada", "DISCARDED by ada");
		assertThat(secured.letters.editedPayload(discarded)).isEqualTo("{}");
		JsonNode letter = ada().get(API + "/letters/" + discarded).json();
		assertThat(letter.at("/letter/status").asString()).isEqualTo("DISCARDED");
		assertThat(letter.at("/event/editedPayload/content").asString()).isEqualTo("{}");
		assertThat(letter.at("/audit/1/actor").asString()).isEqualTo("ada");
	}

	@Test
	void takesNoChangeThatAnotherSiteCouldHaveMade() {
		UUID letterId = secured.letters.add("users", "acme", "a");
		Http ada = ada();
		JsonNode token = ada.get(API + "/session").json().path("token");
		Map<String, Object> wish = Map.of("all", true, "reason", "r");
		Map<String, String> complete = Map.of(token.path("header").asString(), token.path("value").asString(),
				"X-Eventing-Console", "1");
		for (String missing : complete.keySet()) {
			Map<String, String> headers = new HashMap<>(complete);
			headers.remove(missing);
			assertThat(ada.post(API + "/discard", wish, headers).status()).as("without " + missing).isEqualTo(403);
		}
		assertThat(secured.letters.status(letterId)).isEqualTo("PARKED");
		Http form = unsecured.http.with("X-Eventing-Console", "1");
		assertThat(form.post(API + "/discard", "text/plain", "{\"all\":true}").json().path("message").asString())
			.contains("must be JSON");
		for (String path : List.of("/projectors/users/pause", "/projectors/users/rebuild", "/erasures")) {
			assertThat(ada.post(API + path, Map.of("reason", "r")).status()).as(path).isEqualTo(403);
			assertThat(message(form.post(API + path, "text/plain", "{}"), 403)).as(path).contains("must be JSON");
			assertThat(message(unsecured.http.post(API + path, Map.of("reason", "r")), 403)).as(path)
				.contains("'X-Eventing-Console'");
		}
		assertThat(ada.post(API + "/discard", wish, complete).status()).isEqualTo(200);
		assertThat(secured.letters.status(letterId)).isEqualTo("DISCARDED");
	}

	@Test
	void takesNoChangeThatItDoesNotUnderstand() {
		UUID letterId = secured.letters.add("users", "acme", "a");
		for (Map<String, Object> vague : List.<Map<String, Object>>of(Map.of("reason", "r"),
				Map.of("reason", "r", "selection", Map.of("projectr", "users")), Map.of("all", true),
				Map.of("reason", "r", "all", true, "dryRn", true))) {
			assertThat(change(ada(), "/discard", "", vague).status()).as(vague.toString()).isEqualTo(400);
		}
		assertThat(secured.letters.status(letterId)).isEqualTo("PARKED");
	}

	@Test
	void namesWhatItDoesNotUnderstand() {
		UUID letterId = secured.letters.add("users", "acme", "a");
		assertThat(message(change(ada(), "/discard", "", Map.of("all", true, "reason", "r", "dryrun", true))))
			.contains("'dryrun'", "Consider 'dryRun'");
		assertThat(
				message(change(ada(), "/discard", "", Map.of("reason", "r", "selection", Map.of("projectr", "users")))))
			.contains("'projectr'", "Consider 'projector'");
		assertThat(message(change(ada(), "/redrive", "", Map.of("all", true, "ratePerSecond", Map.of("name", "Ada")))))
			.contains("'ratePerSecond'")
			.doesNotContain("Ada");
		assertThat(message(change(ada(), "/discard", "?tennant=globex", Map.of("all", true, "reason", "r"))))
			.contains("'tennant'", "Consider 'tenant'");
		assertThat(message(ada().get(API + "/letters?tennant=globex"))).contains("Consider 'tenant'");
		assertThat(message(ada().get(API + "/stats?limits=1"))).contains("'limits'");
		assertThat(message(ada().get(API + "/letters?status=LOST"))).contains("'status' cannot be 'LOST'", "PARKED");
		assertThat(secured.letters.status(letterId)).isEqualTo("PARKED");
	}

	private static String message(Answer answer) {
		return message(answer, 400);
	}

	private static String message(Answer answer, int status) {
		assertThat(answer.status()).isEqualTo(status);
		return answer.json().path("message").asString("");
	}

	@Test
	void keepsATenantAwayFromTheLettersOfOthers() {
		UUID other = secured.letters.add("users", "globex", "a");
		UUID own = secured.letters.add("users", "acme", "a");
		JsonNode letters = ada().get(API + "/letters?tenant=acme").json().path("letters");
		assertThat(letters).singleElement()
			.satisfies((letter) -> assertThat(letter.path("letterId").asString()).isEqualTo(own.toString()));
		assertThat(ada().get(API + "/stats?tenant=acme").json().path("groups")).hasSize(1);
		assertThat(ada().get(API + "/letters/" + other + "?tenant=acme").status()).isEqualTo(404);
		Map<String, Object> wish = Map.of("selection", Map.of("letterIds", List.of(other)), "reason", "r");
		assertThat(change(ada(), "/redrive", "?tenant=acme", wish).json().path("letters").asLong()).isZero();
		assertThat(change(ada(), "/discard", "?tenant=acme", wish).json().path("letters").asLong()).isZero();
		Map<String, Object> edit = Map.of("payload", "{}", "reason", "r");
		assertThat(change(ada(), "/letters/" + other + "/payload", "?tenant=acme", edit).status()).isEqualTo(404);
		Map<String, Object> all = Map.of("all", true, "reason", "r");
		assertThat(change(ada(), "/discard", "?tenant=acme", all).json().path("letters").asLong()).isEqualTo(1);
		assertThat(secured.letters.status(other)).isEqualTo("PARKED");
		assertThat(secured.letters.audit(other)).isEmpty();
	}

	@Test
	void hidesPayloadsUnlessTheyMayBeSeen() {
		UUID letterId = unsecured.letters.add("users", "acme", "a");
		assertThat(unsecured.http.get(API + "/letters/" + letterId).text()).doesNotContain("secret of")
			.doesNotContain("Bearer");
		UUID shown = secured.letters.add("users", "acme", "a");
		assertThat(ada().get(API + "/letters/" + shown).json().at("/event/payload/content").asString())
			.isEqualTo(Letters.PAYLOAD);
	}

	@Test
	void showsTheLettersOfAKeyInTheirOrder() {
		UUID first = secured.letters.add("users", "acme", "a");
		secured.letters.add("users", "globex", "a");
		secured.letters.add("orders", "acme", "a");
		UUID second = secured.letters.add("users", "acme", "a");
		JsonNode sameKey = ada().get(API + "/letters/" + second).json().path("sameKey");
		assertThat(sameKey.valueStream().map((letter) -> letter.path("letterId").asString()))
			.containsExactly(first.toString(), second.toString());
	}

	@Test
	void showsTheOldestLettersOfALongKey() {
		List<UUID> all = new ArrayList<>();
		for (int number = 0; number < 102; number++) {
			all.add(secured.letters.add("users", "acme", "a"));
		}
		for (UUID shown : List.of(all.get(0), all.get(101))) {
			JsonNode sameKey = ada().get(API + "/letters/" + shown).json().path("sameKey");
			assertThat(sameKey.valueStream().map((letter) -> UUID.fromString(letter.path("letterId").asString())))
				.containsExactlyElementsOf(all.subList(0, 100));
		}
	}

	@Test
	void isServedWhereItIsToldAndNowhereUnlessItIs() {
		try (OperatorApplication elsewhere = OperatorApplication.unsecured("eventing.console.path=/ops/letters")) {
			assertThat(elsewhere.http.get("/ops/letters/").status()).isEqualTo(200);
			assertThat(elsewhere.http.get("/ops/letters").header("Location")).isEqualTo("letters/");
			assertThat(elsewhere.http.get("/ops/letters/api/projectors").status()).isEqualTo(200);
			assertThat(elsewhere.http.get(API + "/projectors").status()).isEqualTo(404);
			assertThat(elsewhere.http.get(CONSOLE + "/").status()).isEqualTo(404);
		}
		try (OperatorApplication off = OperatorApplication.unsecured("eventing.console.enabled=false",
				"eventing.erasure.write-enabled=true", "eventing.projector.write-enabled=true")) {
			assertThat(off.http.get(CONSOLE + "/").status()).isEqualTo(404);
			assertThat(off.http.get(API + "/letters").status()).isEqualTo(404);
			assertThat(off.http.get(API + "/projectors").status()).isEqualTo(404);
			assertThat(off.api.post(API + "/erasures", Map.of("dryRun", true)).status()).isEqualTo(404);
		}
	}

	@Test
	void isNotServedToAnybodyUnlessThatIsSaid() {
		assertThatException().isThrownBy(() -> OperatorApplication.unguarded().close())
			.havingRootCause()
			.isInstanceOf(StartRefusedException.class)
			.withMessageContaining("'/eventing/console'")
			.withMessageContaining("eventing.console.access=open");
		try (OperatorApplication guarded = OperatorApplication.secured("eventing.console.access=guarded")) {
			assertThat(guarded.http.get(CONSOLE + "/").status()).isEqualTo(200);
		}
		try (OperatorApplication off = OperatorApplication.unguarded("eventing.console.enabled=false")) {
			assertThat(off.http.get(CONSOLE + "/").status()).isEqualTo(404);
		}
	}

	@Test
	void refusesAPathThatIsAPattern() {
		assertThatException().isThrownBy(() -> OperatorApplication.unsecured("eventing.console.path=/ops/**").close())
			.havingRootCause()
			.withMessageContaining("eventing.console.path");
	}

	private static Http ada() {
		return secured.http.as(OperatorApplication.USER, OperatorApplication.PASSWORD);
	}

	/** As the page does it. */
	private static Answer change(Http http, String path, String query, Map<String, Object> wish) {
		Map<String, String> headers = new HashMap<>(Map.of("X-Eventing-Console", "1"));
		JsonNode token = http.get(API + "/session").json().path("token");
		if (!token.isNull()) {
			headers.put(token.path("header").asString(), token.path("value").asString());
		}
		return http.post(API + path + query, wish, headers);
	}

}
