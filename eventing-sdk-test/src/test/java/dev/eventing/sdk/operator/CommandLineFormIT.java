package dev.eventing.sdk.operator;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.guarantees.ChildJvm;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The command line writes the JSON that requests over HTTP are answered with. */
class CommandLineFormIT {

	@AutoClose
	private static OperatorApplication application;

	@TempDir
	private Path directory;

	private UUID first;

	private UUID second;

	@BeforeAll
	static void start() {
		application = OperatorApplication.unsecured("eventing.deadletters.write-enabled=true",
				"eventing.deadletters.show-payload=true", "eventing.erasure.write-enabled=true");
	}

	@BeforeEach
	void addLetters() {
		application.letters.clear();
		this.first = application.letters.add("users", "acme", "a");
		this.second = application.letters.add("users", "acme", "a");
		application.letters.add("orders", null, null);
	}

	@Test
	void ofLettersAndCounts() throws Exception {
		assertThat(eventing("dlq", "list")).isEqualTo(get("/letters"));
		assertThat(eventing("dlq", "list", "--limit", "1", "--status", "parked")).isEqualTo(get("/letters?limit=1"));
		JsonNode counts = eventing("dlq", "stats", "--interval", "7d", "--intervals", "2");
		assertThat(counts.get("groups")).hasSize(2).isEqualTo(get("/stats").get("groups"));
		assertThat(counts.at("/overTime/1").propertyNames())
			.containsExactlyElementsOf(get("/stats").at("/overTime/1").propertyNames());
	}

	@Test
	void ofALetterWithAllItsData() throws Exception {
		post(edit(this.second), Map.of("payload", "{}", "reason", "a test", "actor", "anna"));
		JsonNode letter = eventing("dlq", "show", this.second.toString());
		assertThat(letter).isEqualTo(get("/letters/" + this.second));
		assertThat(letter.at("/event/editedPayload/content").asString("")).isEqualTo("{}");
		assertThat(letter.get("audit")).hasSize(1);
	}

	@Test
	void ofAnExportWithoutWhatOtherRowsKnow() throws Exception {
		JsonNode exported = eventing("dlq", "export", "--projector", "orders");
		JsonNode shown = get("/letters/" + exported.at("/letter/letterId").asString(""));
		for (String same : List.of("letter", "event", "origin", "stackTrace", "handling")) {
			assertThat(exported.get(same)).as(same).isEqualTo(shown.get(same));
		}
		assertThat(exported.propertyNames()).containsExactlyElementsOf(shown.propertyNames());
	}

	@Test
	void ofChangesOfLetters() throws Exception {
		Map<String, Object> dry = Map.of("selection", Map.of("letterIds", List.of(this.first)), "dryRun", true);
		JsonNode plan = eventing("dlq", "redrive", this.first.toString(), "--dry-run");
		assertThat(plan.get("redrive")).isEqualTo(post("/redrive", dry));
		assertThat(eventing("dlq", "discard", this.first.toString(), "--dry-run", "--reason", "r"))
			.isEqualTo(post("/discard", dry));
		Map<String, Object> edit = Map.of("payload", "{}", "reason", "r", "actor", "anna");
		assertThat(eventing("dlq", "edit", this.first.toString(), "--original", "--reason", "r"))
			.isEqualTo(post(edit(this.first), edit));
		JsonNode redrive = eventing("dlq", "redrive", this.first.toString(), "--yes", "--no-wait");
		assertThat(redrive.get("progress"))
			.isEqualTo(get("/redrives/" + redrive.at("/redrive/redriveId").asString("")));
	}

	@Test
	void ofAnErasure() throws Exception {
		application.jdbc
			.update("insert into eventing.streams (tenant_id, stream_id, version) values ('acme', 'ann', 1)");
		Map<String, Object> dry = Map.of("tenant", "acme", "stream", "ann", "reason", "r", "actor", "anna", "dryRun",
				true);
		assertThat(eventing("erase", "--tenant", "acme", "--stream", "ann", "--reason", "r", "--dry-run"))
			.isEqualTo(post("/erasures", dry));
	}

	private static String edit(UUID letterId) {
		return "/letters/" + letterId + "/payload";
	}

	private static JsonNode get(String path) {
		return application.http.get(OperatorApplication.API + path).json();
	}

	private static JsonNode post(String change, Map<String, Object> body) {
		Http.Answer answer = application.api.post(OperatorApplication.API + change, body);
		assertThat(answer.status()).as(answer.text()).isEqualTo(200);
		return answer.json();
	}

	private JsonNode eventing(String... arguments) throws Exception {
		List<String> line = new ArrayList<>(ChildJvm.eventing());
		line.addAll(List.of(arguments));
		line.add("--json");
		ProcessBuilder builder = new ProcessBuilder(line).redirectError(this.directory.resolve("err").toFile());
		builder.environment().keySet().removeIf((name) -> name.startsWith("EVENTING_") || name.contains("JAVA"));
		builder.environment().put("EVENTING_DATABASE_URL", application.database);
		Process process = builder.start();
		process.getOutputStream().close();
		JsonNode json = JsonMapper.shared().readTree(process.getInputStream().readAllBytes());
		assertThat(process.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).isTrue();
		return json;
	}

}
