package dev.eventing.sdk.projector.feed;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.feed.JdbcCoverage.Row;

/**
 * Where a projector begins to read a stream, and which events its handlers got before.
 *
 * @param stream the stream it reads
 * @param found the stored rows when the plan was made
 * @param rows the rows to store
 * @param from the sequence after which it reads
 * @param settledTo up to this sequence only skipped events are handled; 0 if there are
 * none
 * @param catchesUpWith the subjects and types whose skipped events are handled
 * @param subjects the subjects of the rows
 * @param withoutEvents new subjects of which the stream had no event
 */
public record CoveragePlan(String stream, List<Row> found, List<Row> rows, long from, long settledTo,
		Set<String> catchesUpWith, Map<Row, SubjectTemplate> subjects, List<String> withoutEvents) {

	/** The sequence before the first event of a subject that has none. */
	public static final long NO_EVENT = Long.MAX_VALUE;

	static final CoveragePlan NONE = of("", List.of(), List.of(), 0, 0, Set.of());

	static CoveragePlan of(String stream, List<Row> found, List<Row> rows, long from, long settledTo,
			Set<String> catchesUpWith) {
		Map<Row, SubjectTemplate> subjects = new HashMap<>();
		rows.forEach((row) -> subjects.put(row, SubjectTemplate.of(row.subject())));
		return new CoveragePlan(stream, found, rows, from, settledTo, catchesUpWith, subjects, List.of());
	}

	/** The same plan, with the new subjects of which the stream had no event. */
	CoveragePlan withoutEvents(List<String> names) {
		return new CoveragePlan(this.stream, this.found, this.rows, this.from, this.settledTo, this.catchesUpWith,
				this.subjects, List.copyOf(names));
	}

	/**
	 * The plan for a stream that ends with this sequence. What was settled or skipped
	 * after it is lost, and the stream gives later sequences to other events.
	 */
	public CoveragePlan endingWith(long last) {
		List<Row> cut = this.rows.stream().map((row) -> row.endingWith(last)).toList();
		return of(this.stream, this.found, cut, this.from, Math.min(this.settledTo, last), this.catchesUpWith)
			.withoutEvents(this.withoutEvents);
	}

	boolean isHandled(Work work) {
		long sequence = work.place().sequence();
		if (sequence > this.settledTo) {
			return false;
		}
		String subject = work.routed().source().subject();
		String type = work.routed().hasEvent() ? work.routed().event().type() : "";
		boolean handled = false;
		for (Map.Entry<Row, SubjectTemplate> each : this.subjects.entrySet()) {
			Row row = each.getKey();
			if (each.getValue().matches(subject)) {
				if (!row.isSubject() && row.type().equals(type) && !isBefore(row, sequence)) {
					return false;
				}
				handled = handled || (row.isSubject() && isBefore(row, sequence));
			}
		}
		return handled;
	}

	private static boolean isBefore(Row row, long sequence) {
		return row.passedFrom() == null || sequence <= row.passedFrom();
	}

}
