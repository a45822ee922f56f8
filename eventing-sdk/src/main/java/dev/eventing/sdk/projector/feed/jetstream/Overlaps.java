package dev.eventing.sdk.projector.feed.jetstream;

import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;

import dev.eventing.sdk.nats.OverlappingFiltersException;
import dev.eventing.sdk.nats.SubjectFilters;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;

/** Names the handlers whose subjects overlap, where one durable cannot read them. */
final class Overlaps {

	private Overlaps() {
	}

	/**
	 * Makes a durable ready.
	 * @throws OverlappingFiltersException if the server refuses its filters; names the
	 * handlers of each
	 */
	static <T> T named(ProjectorEndpoint endpoint, Supplier<T> request) {
		try {
			return request.get();
		}
		catch (OverlappingFiltersException ex) {
			StringBuilder message = new StringBuilder(String.valueOf(ex.getMessage()));
			new TreeSet<>(ex.filters()).forEach((filter) -> message.append(' ').append(handlersOf(endpoint, filter)));
			throw new OverlappingFiltersException(message.toString(), ex.filters());
		}
	}

	private static String handlersOf(ProjectorEndpoint endpoint, String filter) {
		List<String> handlers = endpoint.handlers()
			.stream()
			.filter((handler) -> SubjectFilters.covers(filter, handler.subject().filter()))
			.map(HandlerMethod::description)
			.toList();
		return handlers.isEmpty()
				? "Subject '" + filter
						+ "' is of no handler, but of an earlier version: if the stream has no event of it for this"
						+ " projector, consider deleting its row of projector_coverage."
				: "Subject '" + filter + "' is of " + String.join(" and ", handlers) + ".";
	}

}
