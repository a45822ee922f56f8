package dev.eventing.sdk.console;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.operator.Change;
import dev.eventing.sdk.operator.InvalidRequestException;
import dev.eventing.sdk.operator.RequestTexts;
import dev.eventing.sdk.operator.Selection;
import dev.eventing.sdk.operator.WriteRefusedException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerRequest;

/** Reads requests of the page. */
final class Requests {

	/**
	 * A header that only scripts of the same origin can send without a CORS preflight.
	 */
	static final String HEADER = "X-Eventing-Console";

	/** Enough for an edited payload of any size that NATS servers usually accept. */
	private static final int LONGEST_BODY = 4 * 1024 * 1024;

	/**
	 * Rejects unknown names, because a misspelt name would select more letters than
	 * intended.
	 */
	private static final JsonMapper JSON = EventJson.mapper()
		.rebuild()
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
		.build();

	private Requests() {
	}

	static @Nullable String tenant(ServerRequest request) {
		return request.param("tenant").filter((tenant) -> !tenant.isEmpty()).orElse(null);
	}

	static Selection selection(ServerRequest request) {
		return new Selection(null, request.param("projector").orElse(null), request.param("type").orElse(null),
				request.param("error").orElse(null), request.param("key").orElse(null),
				param(request, "status", DeadLetterStatus.class, DeadLetterStatus::valueOf),
				param(request, "deadAfter", Instant.class, Instant::parse),
				param(request, "deadBefore", Instant.class, Instant::parse));
	}

	static @Nullable Long after(ServerRequest request) {
		return param(request, "after", Long.class, Long::valueOf);
	}

	static int number(ServerRequest request, String name, int otherwise) {
		Integer number = param(request, name, Integer.class, Integer::valueOf);
		return (number != null) ? number : otherwise;
	}

	static Duration interval(ServerRequest request) {
		return RequestTexts.interval(request.param("interval").orElse(null));
	}

	static UUID id(ServerRequest request) {
		return parse("id", request.pathVariable("id"), UUID.class, UUID::fromString);
	}

	/**
	 * Refuses a request with a parameter of the query that nothing reads.
	 * @param known the names that are read
	 */
	static void check(ServerRequest request, List<String> known) {
		request.params().keySet().stream().filter((name) -> !known.contains(name)).findFirst().ifPresent((name) -> {
			throw InvalidRequestException.unknown(name, known);
		});
	}

	private static <T> @Nullable T param(ServerRequest request, String name, Class<T> type,
			Function<String, T> parser) {
		String text = request.param(name).orElse("");
		return text.isEmpty() ? null : parse(name, text, type, parser);
	}

	private static <T> T parse(String name, String text, Class<T> type, Function<String, T> parser) {
		try {
			return parser.apply(text);
		}
		catch (IllegalArgumentException | DateTimeParseException ex) {
			throw InvalidRequestException.unreadable(name, text, type);
		}
	}

	/**
	 * The requested change.
	 * @throws WriteRefusedException if another site may have made the browser send the
	 * request
	 */
	static Change change(ServerRequest request) throws IOException {
		boolean json = request.headers().contentType().filter(MediaType.APPLICATION_JSON::isCompatibleWith).isPresent();
		if (!json || request.headers().firstHeader(HEADER) == null) {
			throw new WriteRefusedException("A change must be JSON and have the header '" + HEADER
					+ "'. Consider the page, or the Actuator endpoint.");
		}
		try (InputStream body = request.servletRequest().getInputStream()) {
			byte[] content = body.readNBytes(LONGEST_BODY + 1);
			if (content.length > LONGEST_BODY) {
				throw new InvalidRequestException("A change has at most " + LONGEST_BODY + " bytes. Consider the API.");
			}
			return JSON.readValue(content, Change.class);
		}
		catch (UnrecognizedPropertyException ex) {
			throw InvalidRequestException.unknown(ex.getPropertyName(),
					ex.getKnownPropertyIds().stream().map(String::valueOf).toList());
		}
		catch (JacksonException ex) {
			throw new InvalidRequestException(unreadable(ex));
		}
	}

	/** The message of the parser may quote the payload. */
	private static String unreadable(JacksonException ex) {
		String path = ex.getPath()
			.stream()
			.map(JacksonException.Reference::getPropertyName)
			.filter(Objects::nonNull)
			.collect(Collectors.joining("."));
		return path.isEmpty() ? "The change is not the JSON that is expected here."
				: "'" + path + "' has a value that it cannot have. Consider what the guide names for it.";
	}

}
