package dev.eventing.sdk.projector.feed;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

import dev.eventing.sdk.nats.SubjectFilters;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.PassedOverException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.feed.JdbcCoverage.Row;
import org.jspecify.annotations.Nullable;

/**
 * Decides where a version of a projector begins, from what its handlers take and what
 * earlier versions have skipped. Reads and writes nothing. Thread-safe.
 */
final class CoverageRules {

	private final ProjectorEndpoint endpoint;

	CoverageRules(ProjectorEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/** Whether a handler of this version listens to all subjects of a filter. */
	boolean isListenedTo(String filter) {
		return this.endpoint.filterSubjects().stream().anyMatch((own) -> SubjectFilters.covers(own, filter));
	}

	/**
	 * Determines where the projector must begin, and what is to be stored.
	 * @param ofStream the stream it reads
	 * @param found the stored rows
	 * @param anew whether the stream was recreated under the same name
	 * @param floor the sequence up to which all events are settled
	 * @param first the sequence before the first event of a subject, or
	 * {@link CoveragePlan#NO_EVENT}
	 * @throws PassedOverException if the operator must decide
	 */
	CoveragePlan plan(String ofStream, List<Row> found, boolean anew, long floor, ToLongFunction<String> first) {
		List<Row> known = anew ? List.of() : found;
		long settledTo = known.stream().mapToLong((row) -> settledTo(row)).reduce(floor, Math::max);
		List<Row> rows = new ArrayList<>();
		Set<String> names = new LinkedHashSet<>();
		long from = floor;
		List<String> withoutEvents = new ArrayList<>();
		for (Row row : withNewSubjects(known, first, withoutEvents)) {
			Row next = isTaken(row) ? caughtUp(row, floor, settledTo) : passedOver(row, floor, settledTo);
			if (next.catchingUp()) {
				names.add(next.name());
				from = Math.min(from, row.catchingUp() ? floor : passedFrom(next));
			}
			if (next.isSubject() || next.passedFrom() != null) {
				rows.add(next);
			}
		}
		if (!names.isEmpty() && this.endpoint.setting(ProjectorSettings::newHandlers) == NewHandlersPolicy.REFUSE) {
			throw new PassedOverException(this.endpoint.name(), ofStream, names, from);
		}
		boolean apart = (settledTo > floor || from < floor);
		List<Row> all = rows.stream().map((row) -> row.settledTo(apart ? (Long) settledTo : null)).toList();
		return CoveragePlan.of(ofStream, found, all, from, apart ? settledTo : 0, names).withoutEvents(withoutEvents);
	}

	/**
	 * The rows, with those of subjects that no version had.
	 * @param withoutEvents gets the names of those that were searched in vain
	 */
	private List<Row> withNewSubjects(List<Row> known, ToLongFunction<String> first, List<String> withoutEvents) {
		List<Row> rows = new ArrayList<>(known);
		boolean begins = known.stream().noneMatch(Row::isSubject);
		for (String subject : this.endpoint.filterSubjects()) {
			if (known.stream().noneMatch((row) -> row.isSubject() && row.name().equals(subject))) {
				Row covering = known.stream()
					.filter((row) -> row.isSubject() && SubjectFilters.covers(row.name(), subject))
					.findFirst()
					.orElse(null);
				Row row = Row.covered(subject);
				if (covering != null) {
					row = row.passed(covering.passedFrom(), covering.catchingUp());
				}
				else if (!begins && this.endpoint.setting(ProjectorSettings::deliverPolicy) != DeliverPolicy.NEW) {
					long behind = first.applyAsLong(subject);
					if (behind != CoveragePlan.NO_EVENT) {
						// also after the floor: the durable may have passed it already
						row = row.passed(behind, false);
					}
					else {
						withoutEvents.add(subject);
					}
				}
				rows.add(row);
			}
		}
		return rows;
	}

	private boolean isTaken(Row row) {
		if (row.isSubject()) {
			return isListenedTo(row.name());
		}
		return this.endpoint.handlers()
			.stream()
			.filter((handler) -> SubjectFilters.overlap(handler.subject().filter(), row.subject()))
			.anyMatch((handler) -> handler.takes(row.type()) || handler.takesAny());
	}

	/** A handler takes it. Its skipped events must be handled now. */
	private Row caughtUp(Row row, long floor, long settledTo) {
		Long from = row.passedFrom();
		boolean fromNow = this.endpoint.setting(ProjectorSettings::newHandlers) == NewHandlersPolicy.FROM_NOW;
		if (from == null || fromNow || (row.catchingUp() && floor >= settledTo)) {
			return row.passed(null, false);
		}
		return row.passed(from, true);
	}

	/** No handler takes it. Its events are skipped from now on, or still. */
	private static Row passedOver(Row row, long floor, long settledTo) {
		if (row.passedFrom() == null) {
			return row.passed(settledTo, false);
		}
		return row.catchingUp() ? row.passed(Math.max(floor, row.passedFrom()), false) : row;
	}

	private static long settledTo(Row row) {
		return orZero(row.settledTo());
	}

	private static long passedFrom(Row row) {
		return orZero(row.passedFrom());
	}

	private static long orZero(@Nullable Long value) {
		return (value != null) ? value : 0;
	}

}
