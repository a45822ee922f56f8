package dev.eventing.sdk.annotation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;

/**
 * Checks the names of projectors, durables and streams, and that no two projectors share
 * a durable.
 */
final class EndpointNames {

	private static final int LONGEST_PROJECTOR = 255;

	private static final int LONGEST_DURABLE = 200;

	private static final int LONGEST_STREAM = 255;

	private final Problems problems;

	EndpointNames(Problems problems) {
		this.problems = problems;
	}

	void check(List<ProjectorEndpoint> endpoints) {
		Map<String, ProjectorEndpoint> durables = new HashMap<>();
		for (ProjectorEndpoint endpoint : endpoints) {
			checkEach(endpoint);
			if (endpoint.readsEventStore()) {
				continue;
			}
			ProjectorEndpoint first = durables.putIfAbsent(endpoint.durableName(), endpoint);
			if (first != null && mayReadOneStream(first, endpoint)) {
				this.problems.add(
						"Projectors '" + first.name() + "' and '" + endpoint.name() + "' with " + handlers(first)
								+ " and " + handlers(endpoint),
						"they share the durable '" + endpoint.durableName()
								+ "', so each event would reach only one of them. Consider removing durableName, "
								+ "or one projectorName for both.");
			}
		}
	}

	private void checkEach(ProjectorEndpoint endpoint) {
		check(endpoint, "projectorName", endpoint.name(), LONGEST_PROJECTOR);
		// A durable name derived from an invalid projector name is invalid for the same
		// reason.
		if (isName(endpoint.name()) || !endpoint.durableName().startsWith(endpoint.name())) {
			check(endpoint, "durableName", endpoint.durableName(), LONGEST_DURABLE);
		}
		if (endpoint.stream() != null) {
			check(endpoint, "stream", endpoint.stream(), LONGEST_STREAM);
		}
	}

	private void check(ProjectorEndpoint endpoint, String attribute, String name, int longest) {
		String where = "Projector '" + endpoint.name() + "' with " + handlers(endpoint);
		if (!isName(name)) {
			this.problems.add(where,
					attribute + " = \"" + name + "\" is empty, or contains white space or one of . * > / \\, "
							+ "which have another meaning in NATS. Consider letters, digits, '_' and '-'.");
		}
		if (name.length() > longest) {
			this.problems.add(where, attribute + " = \"" + name + "\" has " + name.length()
					+ " characters. Consider a name of at most " + longest + ".");
		}
	}

	private static boolean isName(String name) {
		return !name.isEmpty() && name.chars().noneMatch((c) -> c <= ' ' || c == 127 || ".*>/\\".indexOf(c) >= 0);
	}

	// A durable name is unique within one stream. Null can be any stream.
	private static boolean mayReadOneStream(ProjectorEndpoint one, ProjectorEndpoint other) {
		return one.stream() == null || other.stream() == null || Objects.equals(one.stream(), other.stream());
	}

	private static List<String> handlers(ProjectorEndpoint endpoint) {
		return endpoint.handlers().stream().map(HandlerMethod::description).toList();
	}

}
