package dev.eventing.sdk.annotation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.eventing.sdk.event.ProjectorId;
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

	private static final String ONE_SOURCE = "one version reads the event store, and the other JetStream. Consider the "
			+ "same source for both.";

	private static final String ONE_OWNER = "nodes compete for its events, but only the read model of a projector with one "
			+ "owner has several versions. Consider ordering = PER_KEY, or no version.";

	private final Problems problems;

	EndpointNames(Problems problems) {
		this.problems = problems;
	}

	void check(List<ProjectorEndpoint> endpoints) {
		Map<String, ProjectorEndpoint> durables = new HashMap<>();
		Map<String, ProjectorEndpoint> versions = new HashMap<>();
		for (ProjectorEndpoint endpoint : endpoints) {
			checkEach(endpoint);
			ProjectorEndpoint earlier = versions.putIfAbsent(endpoint.name(), endpoint);
			if (earlier != null) {
				checkVersions(earlier, endpoint);
			}
			if (endpoint.readsEventStore() || earlier != null) {
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

	/** The later one is built beside the earlier one, in tables of the same names. */
	private void checkVersions(ProjectorEndpoint earlier, ProjectorEndpoint later) {
		String where = "Projector '" + later.name() + "' with " + handlers(earlier) + " of version "
				+ earlier.readModel().version() + " and " + handlers(later) + " of version "
				+ later.readModel().version();
		if (earlier.readsEventStore() != later.readsEventStore()) {
			this.problems.add(where, ONE_SOURCE);
		}
		if (!earlier.readModel().tables().equals(later.readModel().tables())) {
			this.problems.add(where, "the versions declare different tables, but the later one takes the place of "
					+ "the earlier. Consider the same tables for both, or another name for the later one.");
		}
	}

	/**
	 * Whether a projector may have this name. If not, records why; its other names are
	 * not looked at.
	 */
	boolean accepts(String name, List<HandlerMethod> methods) {
		String where = "Projector '" + name + "' with " + descriptions(methods);
		boolean valid = check(where, "projectorName", name, LONGEST_PROJECTOR);
		if (ProjectorId.isOfGeneration(name)) {
			this.problems.add(where,
					"projectorName = \"" + name
							+ "\" contains '#', which separates a name from the number of a generation. "
							+ "Consider letters, digits, '_' and '-'.");
			return false;
		}
		return valid;
	}

	private void checkEach(ProjectorEndpoint endpoint) {
		if (endpoint.readModel().version() > 1 && !endpoint.hasOneOwner()) {
			this.problems.add("Projector '" + endpoint.name() + "' with " + handlers(endpoint) + " of version "
					+ endpoint.readModel().version(), ONE_OWNER);
		}
		if (endpoint.readModel().version() > 1 && !endpoint.readModel().isOfTablesAlone()) {
			this.problems.add(
					"Projector '" + endpoint.name() + "' with " + handlers(endpoint) + " of version "
							+ endpoint.readModel().version(),
					"a version is built beside the one before it, so the projector declares all of its tables. "
							+ "Consider @Projector(tables = ...) without @ProjectionReset, or no version.");
		}
		if (endpoint.readModel().script() != null && !endpoint.readModel().isOfTablesAlone()) {
			this.problems.add("Projector '" + endpoint.name() + "' with " + handlers(endpoint),
					"its script creates the tables of a generation beside the live one, so the projector declares all"
							+ " of its tables. Consider @Projector(tables = ...) without @ProjectionReset, or no script.");
		}
		check(endpoint, "durableName", endpoint.durableName(), LONGEST_DURABLE);
		if (endpoint.stream() != null) {
			check(endpoint, "stream", endpoint.stream(), LONGEST_STREAM);
		}
	}

	private void check(ProjectorEndpoint endpoint, String attribute, String name, int longest) {
		check("Projector '" + endpoint.name() + "' with " + handlers(endpoint), attribute, name, longest);
	}

	private boolean check(String where, String attribute, String name, int longest) {
		if (!isName(name)) {
			this.problems.add(where,
					attribute + " = \"" + name + "\" is empty, or contains white space or one of . * > / \\, "
							+ "which have another meaning in NATS. Consider letters, digits, '_' and '-'.");
		}
		if (name.length() > longest) {
			this.problems.add(where, attribute + " = \"" + name + "\" has " + name.length()
					+ " characters. Consider a name of at most " + longest + ".");
		}
		return isName(name) && name.length() <= longest;
	}

	private static boolean isName(String name) {
		return !name.isEmpty() && name.chars().noneMatch((c) -> c <= ' ' || c == 127 || ".*>/\\".indexOf(c) >= 0);
	}

	// A durable name is unique within one stream. Null can be any stream.
	private static boolean mayReadOneStream(ProjectorEndpoint one, ProjectorEndpoint other) {
		return one.stream() == null || other.stream() == null || Objects.equals(one.stream(), other.stream());
	}

	private static List<String> handlers(ProjectorEndpoint endpoint) {
		return descriptions(endpoint.handlers());
	}

	private static List<String> descriptions(List<HandlerMethod> methods) {
		return methods.stream().map(HandlerMethod::description).toList();
	}

}
