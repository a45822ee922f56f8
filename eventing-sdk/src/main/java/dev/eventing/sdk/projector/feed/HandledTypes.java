package dev.eventing.sdk.projector.feed;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import dev.eventing.sdk.projector.feed.JdbcCoverage.Row;

/**
 * The types that a version of a projector handles, and which of their events it leaves to
 * a backfill.
 */
final class HandledTypes {

	private HandledTypes() {
	}

	/**
	 * Records them, in the caller's transaction that begins to read.
	 * @param found the rows of subjects and skipped types before
	 * @param reached up to here all events are settled or skipped
	 */
	static void note(JdbcCoverage table, ProjectorEndpoint endpoint, String stream, List<Row> found, long reached) {
		table.handles(stream, of(endpoint), leavesEarlierOnes(endpoint, found) ? reached : 0);
	}

	/**
	 * The types by name. A version whose events of other types become dead letters
	 * handles any: a redrive may apply them later.
	 */
	private static Set<String> of(ProjectorEndpoint endpoint) {
		Set<String> types = new TreeSet<>();
		endpoint.handlers().forEach((handler) -> types.addAll(handler.payloadTypes().keySet()));
		if (endpoint.setting(ProjectorSettings::unknownType) == UnknownTypePolicy.DEAD_LETTER) {
			types.add(HandlerMethod.ANY_TYPE);
		}
		return types;
	}

	/** Whether only a backfill applies earlier events of a type that is new. */
	private static boolean leavesEarlierOnes(ProjectorEndpoint endpoint, List<Row> found) {
		boolean isFirst = found.stream().noneMatch(Row::isSubject);
		return !isFirst && endpoint.setting(ProjectorSettings::newHandlers) == NewHandlersPolicy.FROM_NOW;
	}

}
