package dev.eventing.sdk.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.operator.ErasureChange;
import dev.eventing.sdk.operator.InvalidRequestException;
import dev.eventing.sdk.operator.LetterBody;
import dev.eventing.sdk.operator.ProjectorBody;
import dev.eventing.sdk.operator.Selection;
import dev.eventing.sdk.operator.WriteRefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.servlet.function.ServerRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class JsonBodiesTests {

	@Test
	void haveNothingWhereARequestHasNothing() throws IOException {
		assertThat(JsonBodies.read(request("{}"), ProjectorBody.Pause.class))
			.isEqualTo(new ProjectorBody.Pause(null, false, null));
		assertThat(JsonBodies.read(request("{\"reason\": null}"), LetterBody.Discard.class))
			.isEqualTo(new LetterBody.Discard(Selection.ALL, false, null, null, false, null));
	}

	@Test
	void havePartsAndArrays() throws IOException {
		ProjectorBody.Rebuild rebuild = JsonBodies.read(request("""
				{"reason": "r", "dryRun": true, "limits": {"rate": 500, "until": 7},
				 "part": {"tenant": "acme", "streams": ["a", "b"]}}"""), ProjectorBody.Rebuild.class);
		assertThat(rebuild.limits()).isEqualTo(new ProjectorBody.Limits(500, null, "7"));
		assertThat(rebuild.part()).isEqualTo(new ProjectorBody.Part("acme", List.of("a", "b"), null, null, null));
		assertThat(rebuild.dryRun()).isTrue();
		assertThat(JsonBodies.read(request("{\"wait\": \"1m\"}"), ProjectorBody.Diff.class).patience()).isEqualTo("1m");
	}

	/** Misspelt, it would do for real what was meant for none. */
	@Test
	void refuseNamesThatNothingReads() {
		assertThat(message("{\"dryrun\": true}", ErasureChange.class)).contains("'dryrun'", "Consider 'dryRun'");
		assertThat(message("{\"limits\": {\"rat\": 5}}", ProjectorBody.Rebuild.class)).contains("'rat'",
				"Consider 'rate'");
		assertThat(message("{\"generation\": 2}", ProjectorBody.Pause.class)).as("of another change")
			.contains("'generation'");
		assertThat(message("{\"needsActor\": false}", ErasureChange.class)).contains("'needsActor'");
		assertThat(message("{\"dryRun\": true, \"dryRun\": false}", ProjectorBody.Pause.class)).contains("twice");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					{"rate": "many"}             | 'rate' cannot be 'many'. Consider a whole number.
					{"rate": 2.5}                | 'rate' cannot be '2.5'. Consider a whole number.
					{"dryRun": "perhaps"}        | 'dryRun' cannot be 'perhaps'. Consider true or false.
					{"dryRun": 1}                | 'dryRun' cannot be '1'. Consider true or false.
					{"dryRun": null}             | 'dryRun' cannot be 'null'. Consider true or false.
					{"types": "a,b"}             | 'types' cannot be 'a,b'. Consider an array, such as ["a", "b"].
					{"types": [["secret"]]}      | A value of the body has a form that the change does not take. Consider what the guide names.
					{"types": [{"a": "secret"}]} | 'types' cannot be an array or an object like this one. Consider a text.
					{"handler": {"a": "secret"}} | 'handler' cannot be an array or an object like this one. Consider a text.
					{"to": [1]}                  | 'to' cannot be an array or an object like this one. Consider a whole number.
					{"types": [null]}            | A value of the body has a form that the change does not take. Consider what the guide names.
					""")
	void nameTheValueThatCannotBeRead(String body, String message) {
		assertThat(message(body, ProjectorBody.Backfill.class)).isEqualTo(message);
	}

	@Test
	void nameAValueOfAPart() {
		assertThat(message("{\"limits\": {\"rate\": \"x\"}}", ProjectorBody.Rebuild.class))
			.startsWith("'limits.rate' cannot be 'x'");
		assertThat(message("{\"limits\": 5}", ProjectorBody.Rebuild.class)).startsWith("'limits' cannot be '5'")
			.contains("an object with the fields");
		assertThat(message("{\"part\": {\"streams\": [[]]}}", ProjectorBody.Rebuild.class))
			.startsWith("'part.streams' cannot be an array");
		assertThat(message("{\"part\": {\"streams\": [null]}}", ProjectorBody.Rebuild.class))
			.startsWith("A value of the body has a form");
		assertThat(message("{\"selection\": {\"letterIds\": [\"x\"]}}", LetterBody.Redrive.class))
			.startsWith("'selection.letterIds' cannot be 'x'. Consider an id of the list.");
		assertThat(message("{\"selection\": {\"status\": \"LOST\"}}", LetterBody.Redrive.class))
			.startsWith("'selection.status' cannot be 'LOST'. Consider PARKED");
		assertThat(message("{\"selection\": {\"deadAfter\": \"today\"}}", LetterBody.Redrive.class))
			.contains("2026-01-31T");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "null", "[]", "\"a text\"", "5", "{", "{\"payload\": \"secret}", "{} {}", "{'a': 1}" })
	void refuseWhatIsNoObject(String body) {
		assertThat(message(body, LetterBody.Edit.class)).contains("body").doesNotContain("secret");
	}

	@Test
	void refuseWhatIsTooLong() {
		assertThat(message("{\"payload\": \"" + "x".repeat(4 * 1024 * 1024) + "\"}", LetterBody.Edit.class))
			.contains("at most 4194304 bytes");
	}

	@Test
	void refuseWhatAnotherSiteCanSend() {
		MockHttpServletRequest form = servletRequest("{}");
		form.setContentType("text/plain");
		MockHttpServletRequest withoutHeader = servletRequest("{}");
		withoutHeader.removeHeader(JsonBodies.HEADER);
		MockHttpServletRequest withoutType = servletRequest("{}");
		withoutType.removeHeader("Content-Type");
		withoutType.setContentType(null);
		for (MockHttpServletRequest request : List.of(form, withoutHeader, withoutType)) {
			assertThatExceptionOfType(WriteRefusedException.class)
				.isThrownBy(() -> JsonBodies.read(ServerRequest.create(request, List.of()), ProjectorBody.Pause.class))
				.withMessageContaining("must be JSON")
				.withMessageContaining(JsonBodies.HEADER);
		}
	}

	private static String message(String body, Class<?> type) {
		EventingException refused = catchThrowableOfType(InvalidRequestException.class,
				() -> JsonBodies.read(request(body), type));
		assertThat(refused).as(body).isNotNull();
		return String.valueOf(refused.getMessage());
	}

	private static ServerRequest request(String body) {
		return ServerRequest.create(servletRequest(body), List.of());
	}

	private static MockHttpServletRequest servletRequest(String body) {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/");
		request.setContentType("application/json");
		request.addHeader(JsonBodies.HEADER, "1");
		request.setContent(body.getBytes(StandardCharsets.UTF_8));
		return request;
	}

}
