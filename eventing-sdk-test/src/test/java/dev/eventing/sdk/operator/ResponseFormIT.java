package dev.eventing.sdk.operator;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What clients of the API read does not depend on the application's JSON. */
class ResponseFormIT {

	private static final String API = OperatorApplication.API;

	private static final String LETTERS = API + "/letters";

	private static final String PROJECTORS = API + "/projectors";

	private static final List<String> SETTINGS = List.of("spring.jackson.property-naming-strategy=SNAKE_CASE",
			"spring.jackson.default-property-inclusion=non_empty", "spring.jackson.time-zone=Pacific/Auckland",
			"spring.jackson.datatype.datetime.write-dates-as-timestamps=true");

	@AutoClose
	private final OperatorApplication application = OperatorApplication
		.unsecured(
				Stream
					.concat(SETTINGS.stream(),
							Stream.of("eventing.deadletters.write-enabled=true",
									"eventing.deadletters.show-payload=true"))
					.toArray(String[]::new));

	@Test
	void isTheDocumentedOne() {
		UUID letter = this.application.letters.add("users", "acme", "a");
		JsonNode row = this.application.http.get(LETTERS).json().path("letters").path(0);
		assertThat(row.path("letterId").asString("")).isEqualTo(letter.toString());
		assertThat(row.path("errorClass").asString("")).isEqualTo("java.lang.IllegalStateException");
		assertThat(row.path("deadAt").asString("")).endsWith("Z");
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
		Http.Answer edited = this.application.api.post(LETTERS + "/" + letter + "/payload",
				Map.of("payload", "{}", "reason", "a test", "actor", "anna"));
		assertThat(edited.json().path("letterId").asString("")).as(edited.text()).isEqualTo(letter.toString());
		assertThat(edited.header("Content-Type")).contains("json");
		Http.Answer redriven = this.application.api.post(API + "/redrive",
				Map.of("selection", Map.of("letterIds", List.of(letter)), "actor", "anna"));
		assertThat(redriven.json().propertyNames()).as(redriven.text()).contains("redriveId", "byProjector");
	}

}
