package dev.eventing.sdk.operator;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What clients of the endpoints read does not depend on the application's JSON. */
class ResponseFormIT {

	private static final String LETTERS = "/actuator/eventing-deadletters";

	private static final String PROJECTORS = "/actuator/eventing-projectors";

	private static final List<String> SETTINGS = List.of("spring.jackson.property-naming-strategy=SNAKE_CASE",
			"spring.jackson.default-property-inclusion=non_empty", "spring.jackson.time-zone=Pacific/Auckland",
			"spring.jackson.datatype.datetime.write-dates-as-timestamps=true");

	@AutoClose
	private final OperatorApplication application = OperatorApplication.unsecured(Stream
		.concat(SETTINGS.stream(), Stream.of("eventing.deadletters.write-enabled=true",
				"eventing.deadletters.show-payload=true", "management.endpoints.jackson.isolated-json-mapper=false"))
		.toArray(String[]::new));

	@Test
	void ofTheEndpointsAndTheConsoleIsTheDocumentedOne() {
		UUID letter = this.application.letters.add("users", "acme", "a");
		for (String path : List.of(LETTERS, "/eventing/console/api/letters")) {
			JsonNode row = this.application.http.get(path).json().path("letters").path(0);
			assertThat(row.path("letterId").asString("")).as(path).isEqualTo(letter.toString());
			assertThat(row.path("errorClass").asString("")).isEqualTo("java.lang.IllegalStateException");
			assertThat(row.path("deadAt").asString("")).endsWith("Z");
		}
		JsonNode one = this.application.http.get(LETTERS + "/" + letter).json();
		assertThat(one.propertyNames()).contains("stackTrace", "sameKey", "redriver");
		assertThat(one.path("origin").path("publishedAt").asString("")).endsWith("Z");
		assertThat(this.application.http.get(PROJECTORS).json().propertyNames()).contains("projectors");
		JsonNode missing = this.application.http.get(PROJECTORS + "/nobody").json();
		assertThat(missing.path("error").asString("")).isEqualTo("NOT_FOUND");
	}

	@Test
	void ofAChangeIsTheDocumentedOne() {
		UUID letter = this.application.letters.add("users", "acme", "a");
		Http.Answer edited = this.application.http.post(LETTERS + "/edit",
				Map.of("letterIds", letter.toString(), "payload", "{}", "reason", "a test", "actor", "anna"));
		assertThat(edited.json().path("letterId").asString("")).as(edited.text()).isEqualTo(letter.toString());
		assertThat(edited.header("Content-Type")).contains("json");
		Http.Answer redriven = this.application.http.post(LETTERS + "/redrive",
				Map.of("letterIds", letter.toString(), "actor", "anna"));
		assertThat(redriven.json().propertyNames()).as(redriven.text()).contains("redriveId", "byProjector");
	}

}
