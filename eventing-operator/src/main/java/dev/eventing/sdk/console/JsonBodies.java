package dev.eventing.sdk.console;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.operator.InvalidRequestException;
import dev.eventing.sdk.operator.WriteRefusedException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerRequest;

/** Reads the bodies of changes. */
final class JsonBodies {

	/**
	 * A header that only scripts of the same origin can send without a CORS preflight.
	 */
	static final String HEADER = "X-Eventing-Console";

	/** Enough for an edited payload of any size that NATS servers usually accept. */
	private static final int LONGEST = 4 * 1024 * 1024;

	/**
	 * Refuses unknown names, because a misspelt name would select more letters than
	 * intended, and names that are there twice, because one of them would not count.
	 */
	private static final JsonMapper JSON = EventJson.mapper()
		.rebuild()
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
		.build();

	private JsonBodies() {
	}

	/**
	 * The body of a change.
	 * @throws WriteRefusedException if another site may have made the browser send the
	 * request
	 * @throws InvalidRequestException if the body is not the one of this change
	 */
	static <B> B read(ServerRequest request, Class<B> type) throws IOException {
		boolean json = request.headers().contentType().filter(MediaType.APPLICATION_JSON::isCompatibleWith).isPresent();
		if (!json || request.headers().firstHeader(HEADER) == null) {
			throw new WriteRefusedException("A change must be JSON and have the header '" + HEADER
					+ "', because pages of other sites cannot send both. Consider any value for the header, and"
					+ " 'Content-Type: application/json'.");
		}
		try {
			JsonNode body = JSON.readTree(content(request));
			if (!body.isObject()) {
				throw new InvalidRequestException(
						"The body of a change is a JSON object. Consider {\"dryRun\": true}.");
			}
			return bound(body, type);
		}
		// The messages of the parser may quote the payload.
		catch (DatabindException ex) {
			throw new InvalidRequestException(
					"The body has a name twice, or goes beyond its object, so nothing was done. Consider one object.");
		}
		catch (JacksonException ex) {
			throw new InvalidRequestException("The body is no JSON. Consider its quotation marks and commas.");
		}
	}

	private static byte[] content(ServerRequest request) throws IOException {
		try (InputStream body = request.servletRequest().getInputStream()) {
			byte[] content = body.readNBytes(LONGEST + 1);
			if (content.length > LONGEST) {
				throw new InvalidRequestException("A change has at most " + LONGEST + " bytes. Consider the API.");
			}
			return content;
		}
	}

	private static <B> B bound(JsonNode body, Class<B> type) {
		try {
			return JSON.treeToValue(body, type);
		}
		catch (UnrecognizedPropertyException ex) {
			throw InvalidRequestException.unknown(ex.getPropertyName(),
					ex.getKnownPropertyIds().stream().map(String::valueOf).toList());
		}
		catch (DatabindException ex) {
			throw unreadable(body, ex);
		}
	}

	private static InvalidRequestException unreadable(JsonNode body, DatabindException ex) {
		String name = ex.getPath()
			.stream()
			.map(JacksonException.Reference::getPropertyName)
			.filter(Objects::nonNull)
			.collect(Collectors.joining("."));
		Class<?> type = (ex instanceof MismatchedInputException mismatched) ? mismatched.getTargetType() : null;
		if (name.isEmpty() || type == null) {
			return new InvalidRequestException(
					"A value of the body has a form that the change does not take. Consider what the guide names.");
		}
		JsonNode value = at(body, ex);
		return value.isContainer() ? InvalidRequestException.nested(name, type)
				: InvalidRequestException.unreadable(name, value.isNull() ? "null" : value.asString(), type);
	}

	/** The value that cannot be read. */
	private static JsonNode at(JsonNode body, DatabindException ex) {
		JsonNode value = body;
		for (JacksonException.Reference step : ex.getPath()) {
			value = (step.getPropertyName() != null) ? value.path(step.getPropertyName()) : value.path(step.getIndex());
		}
		return value;
	}

}
