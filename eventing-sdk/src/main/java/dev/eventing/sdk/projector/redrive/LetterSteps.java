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
import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.DeadLetterPolicy;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.attempt.BatchRun;
import dev.eventing.sdk.projector.attempt.BatchSplitter;
import dev.eventing.sdk.projector.attempt.CurrentRun;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.suspect.SuspectGate;
import dev.eventing.sdk.projector.transaction.HandlerFailedException;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of a redrive for a part of its letters. For one thread. */
final class LetterSteps implements BatchRun.Steps {

	private static final Logger logger = LoggerFactory.getLogger(LetterSteps.class);

	private final ProjectorId projector;

	private final DeadLetterPolicy policy;

	/** The letters by their events, in order. */
	private final Map<Work, RedriveLetter> works;

	private final LetterLedger ledger;

	private final CurrentRun currentRun;

	private final HandlerTransaction handlers;

	private final TransientFailures transientFailures;

	private final ProjectorCounters counters;

	LetterSteps(ProjectorEndpoint endpoint, Map<Work, RedriveLetter> works, LetterLedger ledger, CurrentRun currentRun,
			HandlerTransaction handlers, TransientFailures transientFailures, ProjectorCounters counters) {
		this.projector = endpoint.id();
		this.policy = endpoint.options().deadLetters();
		this.works = works;
		this.ledger = ledger;
		this.currentRun = currentRun;
		this.handlers = handlers;
		this.transientFailures = transientFailures;
		this.counters = counters;
	}

	List<Work> works() {
		return List.copyOf(this.works.keySet());
	}

	/**
	 * Waits for other transactions that have claimed the events, for example that of a
	 * former owner that hangs. Call it before the runs are counted, because this wait is
	 * not a run.
	 */
	void awaitClaims() throws InterruptedException {
		List<Work> runnable = works().stream().filter((work) -> work.rejection(this.projector) == null).toList();
		this.ledger.look(() -> this.handlers.awaitClaims(Work.routed(close(runnable))));
	}

	/**
	 * Returns the letters before the first one that cannot be passed to a handler. Parks
	 * that one when it is the first of a part.
	 */
	@Override
	public List<Work> runnable(List<Work> part, BatchSplitter parts) throws InterruptedException {
		for (int at = 0; at < part.size(); at++) {
			RedriveLetter letter = letter(part.get(at));
			Rejection rejection = rejection(part.get(at), letter.letter());
			if (rejection != null) {
				parts.putFirst(part.subList((at == 0) ? 1 : at, part.size()));
				if (at == 0) {
					this.ledger.rejected(letter, rejection);
				}
				return part.subList(0, at);
			}
		}
		return part;
	}

	private @Nullable Rejection rejection(Work work, DeadLetter letter) {
		Rejection rejection = work.rejection(this.projector);
		TenantId tenant = letter.tenantId();
		return (rejection == null && tenant != null)
				? Rejection.ofEdit(work.routed(), new EventKey(tenant, letter.eventId())) : rejection;
	}

	@Override
	public @Nullable Throwable attempt(List<Work> part) throws InterruptedException {
		boolean suspect = part.stream().anyMatch((work) -> letter(work).runs() > 0);
		return this.transientFailures.attempt(part, () -> {
			this.currentRun.begin(part.get(0).routed());
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
		int applied = this.handlers.execute(Work.routed(part), (handlers) -> {
			List<Work> mine = close(part);
			if (mine.isEmpty()) {
				return 0;
			}
			List<RoutedEvent> fresh = handlers.apply(Work.routed(mine));
			List<Work> duplicates = mine.stream().filter((work) -> !fresh.contains(work.routed())).toList();
			List<Work> done = without(mine, duplicates);
			this.ledger.resolved(ids(done), ids(duplicates));
			done.forEach(this::mended);
			ended.addAll(ids(mine));
			return fresh.size();
		}, this.currentRun::begin);
		this.ledger.ended(ended);
		this.counters.redriven.add(applied);
		logger.info("Projector '{}' redrove {} of {} dead letters, beginning with {}.{}", this.projector, applied,
				part.size(), part.get(0), (applied == part.size()) ? ""
						: ((applied > 0) ? " The others" : " They") + " were closed, changed or applied before.");
	}

	private void mended(Work work) {
		DeadLetter letter = letter(work).letter();
		if (letter.tenantId() == null) {
			this.ledger.mended(letter.letterId(), work.routed().eventKey());
		}
	}

	/** Closes the letters, and returns the events that this transaction can claim now. */
	private List<Work> close(List<Work> part) {
		Set<UUID> closed = this.ledger.close(part.stream().map(this::letter).toList());
		return part.stream().filter((work) -> closed.contains(letter(work).letter().letterId())).toList();
	}

	@Override
	public void failed(Work work, Throwable thrown) throws InterruptedException {
		RedriveLetter letter = letter(work);
		Throwable error = HandlerFailedException.errorOf(thrown);
		Duration redriveAfter = this.policy.redriveAfter(error, letter.letter().handling().redrives() + 1);
		this.counters.failedAttempts.increment();
		this.ledger.failed(letter, error, work.routed().handler(), redriveAfter);
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
