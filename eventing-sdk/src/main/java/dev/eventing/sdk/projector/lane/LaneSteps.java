package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import dev.eventing.sdk.projector.attempt.BatchRun;
import dev.eventing.sdk.projector.attempt.BatchSplitter;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.Interrupts;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.lane.FailureHandler.Verdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a lane does with a part of a batch: holds what waits for an earlier event of its
 * key, parks what follows a dead letter, rejects what no handler can be given, applies
 * the rest, and decides about the event that fails alone. For the thread of the lane.
 */
final class LaneSteps implements BatchRun.Steps {

	private static final Logger logger = LoggerFactory.getLogger(LaneSteps.class);

	/** How often events look again whose key has as many open letters as it may. */
	private static final Duration LOOK_AT_FULL_KEYS = Duration.ofSeconds(5);

	private final String projector;

	private final UnknownTypePolicy unknownType;

	private final Duration longestDelay;

	private final LaneQueue queue;

	private final FollowerParking followers;

	private final FailureHandler failureHandler;

	private final LaneAttempt attempts;

	private final Settlement settlement;

	private final ProjectorCounters counters;

	private final Interrupts interrupts;

	LaneSteps(ProjectorEndpoint endpoint, LaneQueue queue, Settlement settlement, LaneParts parts) {
		this.projector = endpoint.name();
		this.unknownType = endpoint.options().unknownType();
		this.longestDelay = endpoint.options().retry().maxDelay();
		this.queue = queue;
		this.settlement = settlement;
		this.followers = parts.followers();
		this.failureHandler = parts.failureHandler();
		this.attempts = parts.attempt();
		this.counters = parts.counters();
		this.interrupts = parts.interrupts();
	}

	@Override
	public List<Work> runnable(List<Work> part, BatchSplitter parts) throws InterruptedException {
		this.attempts.currentRun().begin(part.get(0));
		this.interrupts.clear();
		List<Work> runnable = accepted(notParked(part), parts);
		if (runnable.isEmpty() || runnable.get(0).suspicion() != Suspicion.POSSIBLE) {
			return runnable;
		}
		// what suspects turn out to be comes next
		List<List<Work>> sifted = this.attempts.sift(runnable);
		for (int at = sifted.size() - 1; at >= 0; at--) {
			parts.putFirst(sifted.get(at));
		}
		return List.of();
	}

	@Override
	public @Nullable Throwable attempt(List<Work> part) throws InterruptedException {
		return this.attempts.attempt(part, this.settlement);
	}

	@Override
	public void failed(Work work, Throwable failure) throws InterruptedException {
		Verdict verdict = insist(work, () -> this.failureHandler.failed(work, failure));
		if (!(verdict instanceof Verdict.Applied)) {
			this.counters.failedAttempts.increment();
		}
		this.settlement.conclude(work, verdict);
	}

	/**
	 * Parks what has to follow a dead letter of its key; returns the rest, without what
	 * waits for a failed event.
	 */
	private List<Work> notParked(List<Work> part) throws InterruptedException {
		List<Work> free = this.queue.holdBlocked(part);
		if (this.followers.areNoneOf(free)) {
			return free;
		}
		FollowerParking.Outcome outcome = park(free);
		outcome.parked().forEach(this.settlement::parked);
		outcome.duplicates().forEach(this.settlement::duplicate);
		Duration wait = outcome.heldKeys().isEmpty() ? this.longestDelay : whileKeyIsFull();
		outcome.waiting().forEach((work) -> this.settlement.waitInPlace(work, wait));
		outcome.undecided().forEach((work) -> this.settlement.waitInPlace(work, this.followers.untilNextLook()));
		List<Work> rest = new ArrayList<>(free);
		rest.removeAll(outcome.parked());
		rest.removeAll(outcome.duplicates());
		rest.removeAll(outcome.waiting());
		rest.removeAll(outcome.undecided());
		return rest;
	}

	/** Letters of the key may be closed at any time, without a signal. */
	private Duration whileKeyIsFull() {
		return (this.longestDelay.compareTo(LOOK_AT_FULL_KEYS) < 0) ? this.longestDelay : LOOK_AT_FULL_KEYS;
	}

	/** Where the database cannot tell whether events may run, they wait. */
	private FollowerParking.Outcome park(List<Work> works) throws InterruptedException {
		try {
			return this.attempts.insist(() -> this.followers.park(works));
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			cannotWrite(works.get(0), ex);
			return FollowerParking.Outcome.allWait(works);
		}
	}

	/**
	 * The events of a part that a handler can be given. A dead letter comes after the
	 * events before it and before those after it, so a part ends where one is written.
	 */
	private List<Work> accepted(List<Work> part, BatchSplitter parts) throws InterruptedException {
		List<Work> accepted = new ArrayList<>(part.size());
		for (int at = 0; at < part.size(); at++) {
			Work work = part.get(at);
			Rejection rejection = isSkipped(work) ? null : Rejection.of(this.projector, work);
			if (isSkipped(work)) {
				skip(work);
			}
			else if (rejection == null) {
				accepted.add(work);
			}
			else if (accepted.isEmpty() || work.key() == null) {
				this.settlement.conclude(work, insist(work, () -> this.failureHandler.refuse(work, rejection)));
				if (accepted.isEmpty()) {
					parts.putFirst(part.subList(at + 1, part.size()));
					return accepted;
				}
			}
			else {
				parts.putFirst(part.subList(at, part.size()));
				return accepted;
			}
		}
		return accepted;
	}

	private boolean isSkipped(Work work) {
		return work.hasEvent() && work.handler() == null && this.unknownType != UnknownTypePolicy.DEAD_LETTER;
	}

	private void skip(Work work) {
		logger.debug("Projector '{}' skips {}: no handler takes type {}.", this.projector, work,
				Quoted.of(work.event().type()));
		this.settlement.skipped(work);
	}

	/**
	 * Gets a verdict; an event whose attempt or letter cannot be written is never
	 * dropped.
	 */
	private Verdict insist(Work work, Supplier<Verdict> decision) throws InterruptedException {
		try {
			return this.attempts.insist(decision);
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			cannotWrite(work, ex);
			return new Verdict.Retry(0, this.longestDelay);
		}
	}

	private void cannotWrite(Work work, RuntimeException reason) {
		// the message of a database error may quote the event
		logger.error(
				"Projector '{}' can write neither an attempt nor a dead letter for {}: {}; it is tried again in {}.",
				this.projector, work, reason.getClass().getName(), this.longestDelay);
		logger.debug("What kept projector '{}' from writing.", this.projector, reason);
	}

}
