package dev.eventing.sdk.projector.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.nats.SubjectFilters;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.PassedOverException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.JdbcCoverage.Kind;
import dev.eventing.sdk.projector.feed.JdbcCoverage.Row;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.OptimisticLockingFailureException;

/**
 * Records which events of a stream the handlers of a projector got. Versions of an
 * application can have different handlers. When a version skips events, this records it.
 * A later version that has a handler for them reads them again from there. On the way it
 * skips the events that were handled before. So this does not depend on rows of
 * {@code processed_events}, which may be pruned. For the thread that feeds the projector.
 */
public final class Coverage {

	private static final Logger logger = LoggerFactory.getLogger(Coverage.class);

	/** The subject has no event. */
	public static final long NONE = Long.MAX_VALUE;

	/** The most types that are recorded. */
	private static final int MOST_TYPES = 1000;

	private final ProjectorEndpoint endpoint;

	private final JdbcCoverage table;

	private final FencedTransactions transactions;

	/** The sequence after which skipping began, by skipped subject and type. */
	private final Map<String, Long> skipped = new HashMap<>();

	private String stream = "";

	private Plan plan = Plan.NONE;

	public Coverage(ProjectorEndpoint endpoint, JdbcCoverage table, FencedTransactions transactions) {
		this.endpoint = endpoint;
		this.table = table;
		this.transactions = transactions;
	}

	/** All subjects to which any version of the projector listens or has listened. */
	public Set<String> subjects(String ofStream) {
		return this.table.subjectsWith(this.endpoint.filterSubjects(), ofStream);
	}

	/** Whether another version listens to subjects to which this version does not. */
	public boolean isNarrower(Set<String> subjects) {
		return !subjects.stream().allMatch(this::isListenedTo);
	}

	private boolean isListenedTo(String filter) {
		return this.endpoint.filterSubjects().stream().anyMatch((own) -> SubjectFilters.covers(own, filter));
	}

	/**
	 * Determines where the projector must begin. Changes nothing.
	 * @param ofStream the stream it reads
	 * @param anew whether the stream was recreated under the same name
	 * @param floor the sequence up to which all events are settled
	 * @param first the sequence before the first event of a subject, or {@link #NONE}
	 * @throws PassedOverException if the operator must decide
	 */
	public Plan plan(String ofStream, boolean anew, long floor, ToLongFunction<String> first) {
		return plan(ofStream, this.table.find(ofStream), anew, floor, first);
	}

	private Plan plan(String ofStream, List<Row> found, boolean anew, long floor, ToLongFunction<String> first) {
		List<Row> known = anew ? List.of() : found;
		long settledTo = known.stream().mapToLong((row) -> said(row.settledTo())).reduce(floor, Math::max);
		List<Row> rows = new ArrayList<>();
		Set<String> names = new LinkedHashSet<>();
		long from = floor;
		for (Row row : withNewSubjects(known, first)) {
			Row next = isTaken(row) ? caughtUp(row, floor, settledTo) : passedOver(row, floor, settledTo);
			if (next.catchingUp()) {
				names.add(next.name());
				from = Math.min(from, row.catchingUp() ? floor : said(next.passedFrom()));
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
		return Plan.of(ofStream, found, all, from, apart ? settledTo : 0, names);
	}

	private List<Row> withNewSubjects(List<Row> known, ToLongFunction<String> first) {
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
					// also after the floor: the durable may have passed it already
					row = row.passed((behind != NONE) ? (Long) behind : null, false);
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
		if (from == null || (row.catchingUp() && floor >= settledTo)
				|| this.endpoint.setting(ProjectorSettings::newHandlers) == NewHandlersPolicy.FROM_NOW) {
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

	/**
	 * The sequence up to which events of the stream count as settled, although the
	 * projector's position may be smaller; 0 if none do. The higher one of the plan that
	 * this node follows and of what is stored.
	 */
	public long settledTo(String ofStream) {
		long followed = this.stream.equals(ofStream) ? this.plan.settledTo() : 0;
		return this.table.find(ofStream).stream().mapToLong((row) -> said(row.settledTo())).reduce(followed, Math::max);
	}

	/** The same of the plan that this node follows. */
	public long settledTo() {
		return this.plan.settledTo();
	}

	private static long said(@Nullable Long value) {
		return (value != null) ? value : 0;
	}

	/**
	 * Returns the current plan, with the projector's current position as its beginning.
	 */
	public Plan resumed(long floor) {
		return Plan.of(this.stream, this.plan.found(), this.plan.rows(), floor, this.plan.settledTo(),
				this.plan.catchesUpWith());
	}

	/**
	 * Stores the plan in the caller's transaction.
	 * @throws OptimisticLockingFailureException if another node that competes for the
	 * events has changed the stored rows since the plan was made; make a new plan
	 */
	public void write(Plan next) {
		if (!this.table.findAndLock(next.stream()).equals(next.found())) {
			throw new OptimisticLockingFailureException("Another node has changed the coverage of projector '"
					+ this.endpoint.name() + "' in stream '" + next.stream() + "'");
		}
		this.table.replace(next.stream(), next.rows());
		long reached = Math.max(next.from(), next.settledTo());
		HandledTypes.note(this.table, this.endpoint, next.stream(), next.found(), reached);
	}

	/** Follows this plan from now on. */
	public void follow(Plan next) {
		this.stream = next.stream();
		this.plan = next;
		this.skipped.clear();
		next.rows()
			.stream()
			.filter((row) -> row.kind() == Kind.TYPE && !row.catchingUp())
			.forEach((row) -> this.skipped.put(row.name(), said(row.passedFrom())));
		if (!next.catchesUpWith().isEmpty()) {
			logger.info(
					"Projector '{}' handles the events of {} that it skipped before: it reads '{}' again after {}, up to {}.",
					this.endpoint.name(), next.catchesUpWith(), next.stream(), next.from(), next.settledTo());
		}
	}

	/**
	 * Whether an event that is read again was handled before, by this version of the
	 * application or another one.
	 */
	public boolean isHandled(Work work) {
		return this.plan.isHandled(work);
	}

	/**
	 * Records a skipped type before its first event is skipped. A handler that is added
	 * later begins there.
	 * @throws OwnershipLostException if this node does not own the projector
	 */
	public void note(Work work) {
		if (!work.routed().hasEvent() || work.routed().handler() != null
				|| this.endpoint.setting(ProjectorSettings::unknownType) == UnknownTypePolicy.DEAD_LETTER) {
			return;
		}
		String name = Row.nameOf(filterOf(work), work.routed().event().type());
		long behind = work.place().sequence() - 1;
		Long known = this.skipped.get(name);
		if ((known != null && known <= behind) || name.length() > JdbcCoverage.LONGEST_NAME
				|| (known == null && this.skipped.size() >= MOST_TYPES)) {
			return;
		}
		this.transactions.note(() -> this.table.skipped(this.stream, name, behind));
		this.skipped.put(name, behind);
		logger.warn(
				"Projector '{}' skips events of type '{}' from {} of '{}' on, because no handler takes them."
						+ " Consider a handler, or @EventType with that name on the class of one.",
				this.endpoint.name(), work.routed().event().type(), behind + 1, this.stream);
	}

	private String filterOf(Work work) {
		String subject = work.routed().source().subject();
		return this.endpoint.handlers()
			.stream()
			.map(HandlerMethod::subject)
			.filter((listened) -> listened.matches(subject))
			.map(SubjectTemplate::filter)
			.findFirst()
			.orElse(subject);
	}

	/**
	 * Records that all events up to the floor are settled. This may complete the handling
	 * of skipped events.
	 */
	public void settled(long floor) {
		if (this.plan.settledTo() > 0 && floor >= this.plan.settledTo()) {
			Plan caughtUp = this.transactions.note(() -> {
				Plan next = plan(this.stream, this.table.findAndLock(this.stream), false, floor, (subject) -> NONE);
				this.table.replace(next.stream(), next.rows());
				return next;
			});
			if (!this.plan.catchesUpWith().isEmpty()) {
				logger.info("Projector '{}' has handled all events of {} that it had skipped.", this.endpoint.name(),
						this.plan.catchesUpWith());
			}
			this.plan = caughtUp;
		}
	}

	/**
	 * Where a projector begins.
	 *
	 * @param stream the stream it reads
	 * @param found the stored rows when the plan was made
	 * @param rows the rows to store
	 * @param from the sequence after which it reads
	 * @param settledTo up to this sequence only skipped events are handled; 0 if there
	 * are none
	 * @param catchesUpWith the subjects and types whose skipped events are handled
	 * @param subjects the subjects of the rows
	 */
	public record Plan(String stream, List<Row> found, List<Row> rows, long from, long settledTo,
			Set<String> catchesUpWith, Map<Row, SubjectTemplate> subjects) {

		static final Plan NONE = of("", List.of(), List.of(), 0, 0, Set.of());

		static Plan of(String stream, List<Row> found, List<Row> rows, long from, long settledTo,
				Set<String> catchesUpWith) {
			Map<Row, SubjectTemplate> subjects = new HashMap<>();
			rows.forEach((row) -> subjects.put(row, SubjectTemplate.of(row.subject())));
			return new Plan(stream, found, rows, from, settledTo, catchesUpWith, subjects);
		}

		/**
		 * The plan for a stream that ends with this sequence. What was settled or skipped
		 * after it is lost, and the stream gives later sequences to other events.
		 */
		public Plan endingWith(long last) {
			List<Row> cut = this.rows.stream().map((row) -> row.endingWith(last)).toList();
			return of(this.stream, this.found, cut, this.from, Math.min(this.settledTo, last), this.catchesUpWith);
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

}
