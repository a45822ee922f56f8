package dev.eventing.sdk.projector.feed;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.projector.HandlerMethod;
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

	/** The most types that are recorded. */
	private static final int MOST_TYPES = 1000;

	private final ProjectorEndpoint endpoint;

	private final CoverageRules rules;

	private final JdbcCoverage table;

	private final FencedTransactions transactions;

	/** The sequence after which skipping began, by skipped subject and type. */
	private final Map<String, Long> skipped = new HashMap<>();

	private String stream = "";

	private CoveragePlan plan = CoveragePlan.NONE;

	public Coverage(ProjectorEndpoint endpoint, JdbcCoverage table, FencedTransactions transactions) {
		this.endpoint = endpoint;
		this.rules = new CoverageRules(endpoint);
		this.table = table;
		this.transactions = transactions;
	}

	/** All subjects to which any version of the projector listens or has listened. */
	public Set<String> subjects(String ofStream) {
		return this.table.subjectsWith(this.endpoint.filterSubjects(), ofStream);
	}

	/**
	 * Determines where the projector must begin. Changes nothing.
	 * @param ofStream the stream it reads
	 * @param anew whether the stream was recreated under the same name
	 * @param floor the sequence up to which all events are settled
	 * @param first the sequence before the first event of a subject, or
	 * {@link CoveragePlan#NO_EVENT}
	 * @throws PassedOverException if the operator must decide
	 */
	public CoveragePlan plan(String ofStream, boolean anew, long floor, ToLongFunction<String> first) {
		return this.rules.plan(ofStream, this.table.find(ofStream), anew, floor, first);
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
	public CoveragePlan resumed(long floor) {
		return CoveragePlan.of(this.stream, this.plan.found(), this.plan.rows(), floor, this.plan.settledTo(),
				this.plan.catchesUpWith());
	}

	/**
	 * Stores the plan in the caller's transaction.
	 * @throws OptimisticLockingFailureException if another node that competes for the
	 * events has changed the stored rows since the plan was made; make a new plan
	 */
	public void write(CoveragePlan next) {
		if (!this.table.findAndLock(next.stream()).equals(next.found())) {
			throw new OptimisticLockingFailureException("Another node has changed the coverage of projector '"
					+ this.endpoint.name() + "' in stream '" + next.stream() + "'");
		}
		this.table.replace(next.stream(), next.rows());
		long reached = Math.max(next.from(), next.settledTo());
		HandledTypes.note(this.table, this.endpoint, next.stream(), next.found(), reached);
	}

	/** Follows this plan from now on. */
	public void follow(CoveragePlan next) {
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
	 * As {@link #skip}, of an event that no handler takes.
	 * @throws OwnershipLostException if this node does not own the projector
	 */
	public void note(Work work) {
		if (work.routed().hasEvent() && work.routed().handler() == null) {
			skip(work.routed().source().subject(), work.routed().event().type(), work.place().sequence());
		}
	}

	/**
	 * As {@link #skip}, of an event that was applied elsewhere, if a handler listens to
	 * its subject and none takes its type.
	 * @throws OwnershipLostException if this node does not own the projector
	 */
	public void passed(String subject, String type, long sequence) {
		boolean heard = this.endpoint.handlers().stream().anyMatch((handler) -> handler.subject().matches(subject));
		if (heard && this.endpoint.handlerOf(type, subject) == null) {
			skip(subject, type, sequence);
		}
	}

	/**
	 * Records a skipped type before its first event is skipped. A handler that is added
	 * later begins there. Does nothing if such events become dead letters.
	 * @param subject the subject of the event, to which a handler listens
	 * @throws OwnershipLostException if this node does not own the projector
	 */
	public void skip(String subject, String type, long sequence) {
		if (this.endpoint.setting(ProjectorSettings::unknownType) == UnknownTypePolicy.DEAD_LETTER) {
			return;
		}
		String name = Row.nameOf(filterOf(subject), type);
		long behind = sequence - 1;
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
				this.endpoint.name(), type, sequence, this.stream);
	}

	private String filterOf(String subject) {
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
			CoveragePlan caughtUp = this.transactions.note(() -> {
				CoveragePlan next = this.rules.plan(this.stream, this.table.findAndLock(this.stream), false, floor,
						(subject) -> CoveragePlan.NO_EVENT);
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

}
