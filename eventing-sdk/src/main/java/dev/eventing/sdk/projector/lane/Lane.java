package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.eventing.sdk.deadletter.LetterCause;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import dev.eventing.sdk.projector.attempt.BatchSplitter;
import dev.eventing.sdk.projector.attempt.CurrentRun;
import dev.eventing.sdk.projector.attempt.SuspectGate;
import dev.eventing.sdk.projector.attempt.Suspects;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.Interrupts;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.lane.FailureHandler.Verdict;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker that owns some keys: takes what is queued, applies it in one transaction, and
 * settles it after that transaction ended. A batch that fails runs again in parts, until
 * the event that fails alone is found; only that one is an attempt.
 */
public final class Lane implements SupervisedWorker.Work {

	private static final Logger logger = LoggerFactory.getLogger(Lane.class);

	/** How often events look again whose key has as many open letters as it may. */
	private static final Duration LOOK_AT_FULL_KEYS = Duration.ofSeconds(5);

	private final String projector;

	private final ProjectorOptions options;

	private final LaneQueue queue;

	private final InFlight inFlight;

	private final HandlerTransaction transaction;

	private final FollowerParking followers;

	private final FailureHandler failureHandler;

	private final TransientFailures transientFailures;

	private final ProjectorCounters counters;

	private final Suspects suspects;

	private final Pace pace;

	/** The event whose attempt is counted ahead and under way. */
	private final AtomicReference<@Nullable Work> counted = new AtomicReference<>();

	private final Interrupts interrupts;

	/** Says that it goes on. */
	private Runnable beat = () -> {
	};

	private final CurrentRun currentRun = new CurrentRun();

	public Lane(String projector, ProjectorOptions options, LaneQueue queue, InFlight inFlight,
			HandlerTransaction transaction, FollowerParking followers, FailureHandler failureHandler,
			TransientFailures transientFailures, ProjectorCounters counters, Suspects suspects, Interrupts interrupts) {
		this.projector = projector;
		this.options = options;
		this.queue = queue;
		this.inFlight = inFlight;
		this.transaction = transaction;
		this.followers = followers;
		this.failureHandler = failureHandler;
		this.transientFailures = transientFailures;
		this.counters = counters;
		this.suspects = suspects;
		this.pace = new Pace(options.flow().batchSize());
		this.interrupts = interrupts;
	}

	/** Is told, on the lane's thread, before each batch. */
	void onBeat(Runnable listener) {
		this.beat = listener;
	}

	LaneQueue queue() {
		return this.queue;
	}

	/**
	 * Works until the queue is closed. What ends it leaves nothing behind: a batch that
	 * did not come to its end is put back, in its place.
	 */
	@Override
	public void run() throws InterruptedException {
		try {
			List<Work> batch = this.queue.take(this.options.flow().batchSize());
			while (!batch.isEmpty()) {
				runOrPutBack(batch);
				batch = this.queue.take(this.options.flow().batchSize());
			}
		}
		catch (OwnershipLostException ex) {
			logger.debug("Lane of projector '{}' stops.", this.projector, ex);
		}
	}

	private void runOrPutBack(List<Work> batch) throws InterruptedException {
		boolean ended = false;
		try {
			this.beat.run();
			run(batch);
			ended = true;
		}
		finally {
			this.currentRun.end();
			if (!ended) {
				this.queue.putBack(batch);
			}
		}
	}

	/** What it has been at since when. */
	CurrentRun currentRun() {
		return this.currentRun;
	}

	private void run(List<Work> batch) throws InterruptedException {
		BatchSplitter parts = new BatchSplitter(batch);
		while (!parts.isEmpty()) {
			this.currentRun.begin(batch.get(0));
			this.interrupts.clear();
			List<Work> part = runnable(notParked(parts.next(this.pace.size())), parts);
			if (!part.isEmpty() && part.get(0).suspicion() == Suspicion.POSSIBLE) {
				sift(part, parts);
			}
			else if (!part.isEmpty()) {
				run(part, parts);
			}
		}
	}

	/** What suspects turn out to be comes next. */
	private void sift(List<Work> suspects, BatchSplitter parts) throws InterruptedException {
		List<List<Work>> sifted = waitOut(() -> this.suspects.sift(suspects));
		for (int at = sifted.size() - 1; at >= 0; at--) {
			parts.putFirst(sifted.get(at));
		}
	}

	private void run(List<Work> part, BatchSplitter parts) throws InterruptedException {
		Throwable failure = attempt(part);
		if (failure == null) {
			this.pace.succeeded(part.size());
		}
		else if (part.size() == 1) {
			Work work = part.get(0);
			Verdict verdict = insist(work, () -> this.failureHandler.failed(work, failure));
			if (!(verdict instanceof Verdict.Applied)) {
				this.counters.failedAttempts.increment();
			}
			conclude(work, verdict);
		}
		else {
			this.pace.failed(part, failure);
			parts.putFirst(part, failure);
		}
	}

	/**
	 * Parks what has to follow a dead letter of its key; returns the rest, without what
	 * waits behind a failed event.
	 */
	private List<Work> notParked(List<Work> part) throws InterruptedException {
		List<Work> free = this.queue.holdBlocked(part);
		if (this.followers.areNoneOf(free)) {
			return free;
		}
		FollowerParking.Outcome outcome = park(free);
		outcome.parked().forEach(this::parked);
		outcome.duplicates().forEach(this::duplicate);
		Duration wait = outcome.heldKeys().isEmpty() ? this.options.retry().maxDelay() : whileKeyIsFull();
		outcome.waiting().forEach((work) -> waitInPlace(work, wait));
		outcome.undecided().forEach((work) -> waitInPlace(work, this.followers.untilNextLook()));
		List<Work> rest = new ArrayList<>(free);
		rest.removeAll(outcome.parked());
		rest.removeAll(outcome.duplicates());
		rest.removeAll(outcome.waiting());
		rest.removeAll(outcome.undecided());
		return rest;
	}

	/** Letters of the key may be closed at any time, and nobody tells. */
	private Duration whileKeyIsFull() {
		Duration most = this.options.retry().maxDelay();
		return (most.compareTo(LOOK_AT_FULL_KEYS) < 0) ? most : LOOK_AT_FULL_KEYS;
	}

	/** An event of which nobody can tell whether it may run waits. */
	private FollowerParking.Outcome park(List<Work> works) throws InterruptedException {
		try {
			return waitOut(() -> this.followers.park(works));
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			cannotWrite(works.get(0), ex);
			return FollowerParking.Outcome.allWait(works);
		}
	}

	private void parked(Work work) {
		this.counters.parked.increment();
		term(work, LetterCause.BEHIND);
	}

	private void duplicate(Work work) {
		this.counters.duplicates.increment();
		done(List.of(work));
	}

	/**
	 * What of a part a handler can be given now. A dead letter comes after the events
	 * before it and before those after it, so a part ends where one is written.
	 */
	private List<Work> runnable(List<Work> part, BatchSplitter parts) throws InterruptedException {
		List<Work> runnable = new ArrayList<>(part.size());
		for (int at = 0; at < part.size(); at++) {
			Work work = part.get(at);
			Rejection rejection = isSkipped(work) ? null : Rejection.of(this.projector, work);
			if (isSkipped(work)) {
				skip(work);
			}
			else if (rejection == null) {
				runnable.add(work);
			}
			else if (runnable.isEmpty() || work.key() == null) {
				conclude(work, insist(work, () -> this.failureHandler.refuse(work, rejection)));
				if (runnable.isEmpty()) {
					parts.putFirst(part.subList(at + 1, part.size()));
					return runnable;
				}
			}
			else {
				parts.putFirst(part.subList(at, part.size()));
				return runnable;
			}
		}
		return runnable;
	}

	private boolean isSkipped(Work work) {
		return work.hasEvent() && work.handler() == null && this.options.unknownType() != UnknownTypePolicy.DEAD_LETTER;
	}

	private void skip(Work work) {
		logger.debug("Projector '{}' skips {}: no handler takes type {}.", this.projector, work,
				Quoted.of(work.event().type()));
		this.counters.skipped.increment();
		done(List.of(work));
	}

	/** Applies a part in one transaction and settles it; returns the failure, or null. */
	private @Nullable Throwable attempt(List<Work> part) throws InterruptedException {
		Work first = part.get(0);
		return switch (first.suspicion()) {
			case LIKELY, COUNTED -> attemptAlone(first);
			case UNMARKED -> this.transientFailures.attempt(() -> {
				this.currentRun.begin(first);
				if (first.suspicion() == Suspicion.UNMARKED) {
					this.suspects.mark(part);
				}
				apply(part);
			});
			default -> this.transientFailures.attempt(() -> apply(part));
		};
	}

	/**
	 * Counts its attempt right before its handler runs, unless that was done or its
	 * attempts are used up; takes it back where it ends without having failed.
	 */
	private @Nullable Throwable attemptAlone(Work work) throws InterruptedException {
		try {
			return this.transientFailures.attempt(() -> {
				this.currentRun.begin(work);
				SuspectGate.OF_PROCESS.run(() -> applyAlone(work));
			});
		}
		catch (InterruptedException | OwnershipLostException ex) {
			takeBackAttempt();
			throw ex;
		}
		finally {
			this.counted.set(null);
		}
	}

	private void applyAlone(Work work) {
		if (work.suspicion() == Suspicion.LIKELY && this.suspects.isFree(work)) {
			Verdict verdict = this.failureHandler.begin(work);
			if (verdict instanceof Verdict.Dead) {
				conclude(work, verdict);
				return;
			}
			this.counted.set(work);
		}
		apply(List.of(work));
	}

	/**
	 * The attempt that is under way, if it was counted ahead, is none: the projector
	 * stops while its handler runs. For any thread.
	 */
	void takeBackAttempt() {
		Work work = this.counted.getAndSet(null);
		if (work != null && this.transientFailures.current() == null) {
			this.failureHandler.takeBack(work);
		}
	}

	private void apply(List<Work> part) {
		this.currentRun.begin(part.get(0));
		int fresh = this.transaction.apply(part, this::called);
		settle(part, fresh);
	}

	private void called(Work first) {
		this.currentRun.begin(first);
		this.inFlight.goOn();
	}

	private void settle(List<Work> part, int fresh) {
		this.counters.transactions.increment();
		this.counters.processed.add(fresh);
		this.counters.duplicates.add(part.size() - fresh);
		done(part);
	}

	private void done(List<Work> works) {
		works.forEach((work) -> work.origin().acknowledge());
		this.inFlight.removeAll(works);
		works.forEach(this.queue::release);
	}

	/**
	 * Gets a verdict; an event whose attempt or letter cannot be written is never
	 * dropped.
	 */
	private Verdict insist(Work work, Supplier<Verdict> decision) throws InterruptedException {
		try {
			return waitOut(decision);
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			cannotWrite(work, ex);
			return new Verdict.Retry(0, this.options.retry().maxDelay());
		}
	}

	/** Does something of the SDK's own, however often it takes. */
	private <T> T waitOut(Supplier<T> action) throws InterruptedException {
		return this.transientFailures.insist(() -> {
			this.currentRun.again();
			return action.get();
		});
	}

	private void cannotWrite(Work work, RuntimeException reason) {
		// the message of a database error may quote the event
		logger.error(
				"Projector '{}' can write neither an attempt nor a dead letter for {}: {}; it is tried again in {}.",
				this.projector, work, reason.getClass().getName(), this.options.retry().maxDelay());
		logger.debug("What kept projector '{}' from writing.", this.projector, reason);
	}

	private void conclude(Work work, Verdict verdict) {
		if (verdict instanceof Verdict.Applied) {
			duplicate(work);
		}
		else if (verdict instanceof Verdict.Dead dead) {
			this.counters.deadLetters.increment();
			term(work, dead.reason());
		}
		else if (verdict instanceof Verdict.Retry retry) {
			// what its stream would have dropped by then is kept here
			if (this.options.order().ordering() == Ordering.NONE && work.origin().isKeptFor(retry.delay())) {
				work.origin().nak(retry.delay());
				this.inFlight.remove(work);
			}
			else {
				waitInPlace(work, retry.delay());
			}
		}
	}

	private void term(Work work, String reason) {
		work.origin().term(reason);
		this.inFlight.remove(work);
		this.queue.release(work);
	}

	private void waitInPlace(Work work, Duration delay) {
		if (!this.queue.holdIfBlocked(work)) {
			this.queue.retryAfter(work, delay);
		}
	}

}
