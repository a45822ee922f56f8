package dev.eventing.sdk.projector.container;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs a line for each projector of this node when it starts. */
final class StartLines {

	private static final Logger logger = LoggerFactory.getLogger(StartLines.class);

	private StartLines() {
	}

	static void log(List<ProjectorEndpoint> endpoints) {
		if (endpoints.isEmpty()) {
			logger.info("No handlers were found, so this application runs no projectors.");
		}
		endpoints.forEach(StartLines::log);
	}

	private static void log(ProjectorEndpoint endpoint) {
		logger.info("Projector '{}' reads {}, subjects {}, {}. Handlers: {}, types: {}.", endpoint.name(),
				source(endpoint), endpoint.filterSubjects(), beginning(endpoint), endpoint.handlers().size(),
				types(endpoint));
	}

	private static String source(ProjectorEndpoint endpoint) {
		if (endpoint.readsEventStore()) {
			return "the event store";
		}
		return (endpoint.stream() != null) ? "stream '" + endpoint.stream() + "'" : "the stream of its subjects";
	}

	private static String beginning(ProjectorEndpoint endpoint) {
		return (endpoint.setting(ProjectorSettings::deliverPolicy) == DeliverPolicy.ALL)
				? "from the first event on unless it has run before"
				: "from the next new event on unless it has run before";
	}

	private static String types(ProjectorEndpoint endpoint) {
		Set<String> types = new TreeSet<>();
		endpoint.handlers().forEach((handler) -> types.addAll(handler.payloadTypes().keySet()));
		boolean any = types.remove(HandlerMethod.ANY_TYPE);
		return any ? (types.isEmpty() ? "every type" : types + " and every other type") : types.toString();
	}

}
