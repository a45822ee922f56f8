package dev.eventing.sdk.annotation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import dev.eventing.sdk.projector.HandlerMethod;

/** Finds conflicts between the handlers of one projector. */
final class HandlerConflicts {

	private final String projector;

	private final Problems problems;

	private boolean found;

	HandlerConflicts(String projector, Problems problems) {
		this.projector = projector;
		this.problems = problems;
	}

	/** Whether these handlers conflict. Records each conflict as a problem. */
	boolean areIn(List<HandlerDeclaration> handlers) {
		checkDerivedNames(handlers);
		if (!this.found) {
			checkEventTypes(handlers);
			checkAttributes(handlers);
		}
		return this.found;
	}

	/**
	 * A name derived from the method is meant for that method only. If two handlers have
	 * the same derived name, the user did not ask for a common projector.
	 */
	private void checkDerivedNames(List<HandlerDeclaration> handlers) {
		List<HandlerDeclaration> derived = handlers.stream().filter((each) -> !each.projectorNamed()).toList();
		for (HandlerDeclaration other : derived.subList(Math.min(1, derived.size()), derived.size())) {
			if (other.where().equals(derived.get(0).where())) {
				continue; // another subject of the same handler
			}
			conflict(derived.get(0), other, "have the same default projectorName '" + this.projector + "'",
					"setting a different projectorName on each, or the same projectorName on both to form one projector");
		}
	}

	private void checkEventTypes(List<HandlerDeclaration> handlers) {
		Map<String, HandlerDeclaration> byType = new HashMap<>();
		for (HandlerDeclaration handler : handlers) {
			for (String type : new TreeSet<>(handler.method().payloadTypes().keySet())) {
				HandlerDeclaration first = byType.putIfAbsent(type, handler);
				if (first != null) {
					conflict(first, handler,
							type.equals(HandlerMethod.ANY_TYPE)
									? "both take every event that no other handler takes, in projector '"
											+ this.projector + "'"
									: "both take event type '" + type + "' in projector '" + this.projector + "'",
							"one handler that does both, or another projectorName for one of them");
				}
			}
		}
	}

	private void checkAttributes(List<HandlerDeclaration> handlers) {
		Map<String, HandlerDeclaration> sayers = new HashMap<>();
		for (HandlerDeclaration handler : handlers) {
			handler.said().forEach((attribute, value) -> {
				HandlerDeclaration first = sayers.putIfAbsent(attribute, handler);
				if (first != null && !value.equals(first.said().get(attribute))) {
					conflict(first, handler,
							"share the consumer of projector '%s', but one sets %s = %s and the other sets %s = %s"
								.formatted(this.projector, attribute, first.said().get(attribute), attribute, value),
							"setting " + attribute + " on one of them only, or another projectorName");
				}
			});
		}
	}

	private void conflict(HandlerDeclaration one, HandlerDeclaration other, String problem, String remedy) {
		this.found = true;
		this.problems.add(one.where() + " and " + other.where(), "they " + problem + ". Consider " + remedy + ".");
	}

}
