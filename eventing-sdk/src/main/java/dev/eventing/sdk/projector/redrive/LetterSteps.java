package dev.eventing.sdk.projector.redrive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.DeadLetterPolicy;
import dev.eventing.sdk.projector.attempt.BatchRun;
import dev.eventing.sdk.projector.attempt.BatchSplitter;
import dev.eventing.sdk.projector.attempt.SuspectGate;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import dev.eventing.sdk.projector.transaction.HandlerTransaction.HandlerFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a redrive does with a part of its letters. For one thread.
 */
final class LetterSteps implements BatchRun.Steps {

	private static final Logger logger = LoggerFactory.getLogger(LetterSteps.class);

	private final String projector;

	private final DeadLetterPolicy policy;

	/** The letters, by what they are to the handlers, in order. */
	private final Map<Work, RedriveLetter> works;

	private final LetterChanges changes;

	private final HandlerTransaction handlers;

	private final TransientFailures transientFailures;

	private final ProjectorCounters counters;

	LetterSteps(String projector, DeadLetterPolicy policy, Map<Work, RedriveLetter> works, LetterChanges changes,
			HandlerTransaction handlers, TransientFailures transientFailures, ProjectorCounters counters) {
		this.projector = projector;
		this.policy = policy;
		this.works = works;
		this.changes = changes;
		this.handlers = handlers;
		this.transientFailures = transientFailures;
		this.counters = counters;
	}

	List<Work> works() {
		return List.copyOf(this.works.keySet());
	}

	/** Waiting, for a former owner that stands still, is not a run. */
	void awaitClaims() throws InterruptedException {
		List<Work> runnable = works().stream().filter((work) -> Rejection.of(this.projector, work) == null).toList();
		this.changes.look(() -> this.handlers.awaitClaims(close(runnable)));
	}

	/**
	 * The letters up to the first one that no handler can be given; that one is parked.
	 */
	@Override
	public List<Work> runnable(List<Work> part, BatchSplitter parts) throws InterruptedException {
		for (int at = 0; at < part.size(); at++) {
			RedriveLetter letter = letter(part.get(at));
			Rejection rejection = rejection(part.get(at), letter.letter());
			if (rejection != null) {
				parts.putFirst(part.subList((at == 0) ? 1 : at, part.size()));
				if (at == 0) {
					this.changes.park(letter, rejection.reason(), rejection.failure(), false, null);
				}
				return part.subList(0, at);
			}
		}
		return part;
	}

	private @Nullable Rejection rejection(Work work, DeadLetter letter) {
		Rejection rejection = Rejection.of(this.projector, work);
		if (rejection == null && letter.tenantId() != null
				&& !work.eventKey().equals(new EventKey(letter.tenantId(), letter.eventId()))) {
			return new Rejection("OTHER_EVENT",
					new Failure("OtherEvent",
							"The edited payload says that it is event '" + work.event().id() + "' of tenant '"
									+ work.event().tenantId() + "', but the letter is of event '" + letter.eventId()
									+ "' of tenant '" + letter.tenantId()
									+ "'. Consider a payload with the letter's id and tenant.",
							null));
		}
		return rejection;
	}

	@Override
	public @Nullable Throwable attempt(List<Work> part) throws InterruptedException {
		boolean suspect = part.stream().anyMatch((work) -> letter(work).runs() > 0);
		return this.transientFailures.attempt(() -> {
			this.changes.currentRun().begin(part.get(0));
			if (suspect) {
				SuspectGate.OF_PROCESS.run(() -> apply(part));
			}
			else {
				apply(part);
			}
		});
	}

	private void apply(List<Work> part) {
		List<UUID> ended = new ArrayList<>();
		int applied = this.handlers.execute((handlers) -> {
			List<Work> mine = close(part);
			if (mine.isEmpty()) {
				return 0;
			}
			List<Work> fresh = handlers.apply(mine);
			this.changes.resolved(ids(fresh), ids(without(mine, fresh)));
			ended.addAll(ids(mine));
			return fresh.size();
		}, this.changes.currentRun()::begin);
		this.changes.ended(ended);
		this.counters.redriven.add(applied);
		logger.info(
				"Projector '{}' redrove {} of {} dead letters, {} and what follows; the others were closed, changed or"
						+ " applied before.",
				this.projector, applied, part.size(), part.get(0));
	}

	/** Those of the events that may be claimed from now on in this transaction. */
	private List<Work> close(List<Work> part) {
		Set<UUID> closed = this.changes.close(part.stream().map(this::letter).toList());
		return part.stream().filter((work) -> closed.contains(letter(work).letter().letterId())).toList();
	}

	@Override
	public void failed(Work work, Throwable thrown) throws InterruptedException {
		RedriveLetter letter = letter(work);
		Throwable error = HandlerFailedException.errorOf(thrown);
		Duration redriveAfter = this.policy.redriveAfter(error, letter.letter().handling().redrives() + 1);
		this.counters.failedAttempts.increment();
		this.changes.park(letter, "REDRIVE_FAILED", Failure.of(error), true, redriveAfter);
	}

	private RedriveLetter letter(Work work) {
		return Objects.requireNonNull(this.works.get(work));
	}

	private List<UUID> ids(List<Work> some) {
		return some.stream().map((work) -> letter(work).letter().letterId()).toList();
	}

	private static List<Work> without(List<Work> all, Collection<Work> some) {
		List<Work> rest = new ArrayList<>(all);
		rest.removeAll(some);
		return rest;
	}

}
