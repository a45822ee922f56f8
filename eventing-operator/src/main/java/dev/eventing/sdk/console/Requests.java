package dev.eventing.sdk.console;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.operator.InvalidRequestException;
import dev.eventing.sdk.operator.RequestTexts;
import dev.eventing.sdk.operator.Selection;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.function.ServerRequest;

/** Reads the queries of requests. */
final class Requests {

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
		Integer number = number(request, name);
		return (number != null) ? number : otherwise;
	}

	static @Nullable Integer number(ServerRequest request, String name) {
		return param(request, name, Integer.class, Integer::valueOf);
	}

	static Duration interval(ServerRequest request) {
		return RequestTexts.interval(request.param("interval").orElse(null));
	}

	static UUID id(ServerRequest request) {
		return parse("id", request.pathVariable("id"), UUID.class, UUID::fromString);
	}

	/**
	 * Refuses a request with a parameter of the query that nothing reads, or that is
	 * there twice: a gateway that adds a tenant would not know which of them counts.
	 * @param known the names that are read
	 */
	static void check(ServerRequest request, List<String> known) {
		request.params().forEach((name, values) -> {
			if (!known.contains(name)) {
				throw InvalidRequestException.unknown(name, known);
			}
			if (values.size() > 1) {
				throw new InvalidRequestException("'" + name + "' is there " + values.size()
						+ " times, so nothing was done. Consider one value.");
			}
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

}
