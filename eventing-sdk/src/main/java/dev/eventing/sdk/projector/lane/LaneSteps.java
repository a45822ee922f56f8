package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import dev.eventing.sdk.event.DurationText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import dev.eventing.sdk.projector.attempt.BatchRun;
import dev.eventing.sdk.projector.attempt.BatchSplitter;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.failure.Interrupts;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.failure.RepeatedFailures;
import dev.eventing.sdk.projector.lane.FailureHandler.Verdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a lane for a part of a batch. Holds events that wait for an earlier event
 * of their key, parks events that follow a dead letter, rejects events that cannot be
 * passed to a handler, and applies the rest. Decides about an event that fails alone. For
 * the thread of the lane.
 */
final class LaneSteps implements BatchRun.Steps {

	private static final Logger logger = LoggerFactory.getLogger(LaneSteps.class);

	/** The longest time between two looks at keys that have too many open letters. */
	private static final Duration LOOK_AT_FULL_KEYS = Duration.ofSeconds(5);

	private final ProjectorId projector;

	private final UnknownTypePolicy unknownType;

	private final Duration longestDelay;

	private final LaneQueue queue;

	private final FollowerParking followers;

	private final FailureHandler failureHandler;

	private final LaneAttempt attempts;

	private final Settlement settlement;

	private final ProjectorCounters counters;

	private final Interrupts interrupts;

	private final FailureText texts;

	private final RepeatedFailures repeated;

	LaneSteps(ProjectorEndpoint endpoint, LaneQueue queue, Settlement settlement, LaneParts parts) {
		this.projector = endpoint.id();
		this.unknownType = endpoint.setting(ProjectorSettings::unknownType);
		this.longestDelay = endpoint.setting(ProjectorSettings::retryMaxDelay);
		this.queue = queue;
		this.settlement = settlement;
		this.followers = parts.followers();
		this.failureHandler = parts.failureHandler();
		this.attempts = parts.attempt();
		this.counters = parts.counters();
		this.interrupts = parts.interrupts();
		this.texts = parts.texts();
		this.repeated = parts.repeated();
	}

	@Override
	public List<Work> runnable(List<Work> part, BatchSplitter parts) throws InterruptedException {
		List<Work> now = inTurn(part, parts);
		if (now.isEmpty()) {
			return now;
		}
		this.attempts.currentRun().begin(now.get(0).routed());
		this.interrupts.clear();
		List<Work> runnable = accepted(notParked(now), parts);
		if (runnable.isEmpty() || runnable.get(0).suspicion() != Suspicion.POSSIBLE) {
			return runnable;
		}
		// the sifted suspects run next
		List<List<Work>> sifted = this.attempts.sift(runnable);
		for (int at = sifted.size() - 1; at >= 0; at--) {
			parts.putFirst(sifted.get(at));
		}
		return List.of();
	}

	/** While all events fail, one at a time is tried again. */
	private List<Work> inTurn(List<Work> part, BatchSplitter parts) throws InterruptedException {
		RepeatedFailures.Turn turn = this.repeated.awaitTurn();
		if (turn == RepeatedFailures.Turn.NONE) {
			// the projector stops, and gives them back
			part.forEach((work) -> this.settlement.waitInPlace(work, this.longestDelay));
			return List.of();
		}
		if (turn == RepeatedFailures.Turn.ALL || part.size() == 1) {
			return part;
		}
		parts.putFirst(part.subList(1, part.size()));
		return part.subList(0, 1);
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
	 * Parks the events that follow a dead letter of their key. Returns the events that
	 * can run now.
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
		List<Work> ended = new ArrayList<>(outcome.parked());
		ended.addAll(outcome.duplicates());
		return notHeldUp(free, ended, outcome);
	}

	/**
	 * Returns the events that neither ended nor wait. Events after one that waits may
	 * have to wait for it.
	 */
	private List<Work> notHeldUp(List<Work> free, List<Work> ended, FollowerParking.Outcome outcome) {
		List<Work> before = new ArrayList<>();
		List<Work> after = new ArrayList<>();
		boolean waits = false;
		for (Work work : free) {
			if (outcome.waiting().contains(work) || outcome.undecided().contains(work)) {
				waits = true;
			}
			else if (!ended.contains(work)) {
				(waits ? after : before).add(work);
			}
		}
		before.addAll(this.queue.holdBlocked(after));
		return before;
	}

	/** Letters can be closed at any time, and no signal comes. */
	private Duration whileKeyIsFull() {
		return (this.longestDelay.compareTo(LOOK_AT_FULL_KEYS) < 0) ? this.longestDelay : LOOK_AT_FULL_KEYS;
	}

	/** If the letters cannot be written, the events wait. */
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
	 * Returns the events of a part that can be passed to a handler. An event with a key
	 * is rejected after the earlier events of the part were applied, and before the later
	 * ones are. So the part ends before it.
	 */
	private List<Work> accepted(List<Work> part, BatchSplitter parts) throws InterruptedException {
		List<Work> accepted = new ArrayList<>(part.size());
		for (int at = 0; at < part.size(); at++) {
			Work work = part.get(at);
			Rejection rejection = isSkipped(work) ? null : work.rejection(this.projector);
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
		return work.routed().isMarker() || (work.routed().hasEvent() && work.routed().handler() == null
				&& this.unknownType != UnknownTypePolicy.DEAD_LETTER);
	}

	private void skip(Work work) {
		logger.debug("Projector '{}' skips {}: {}.", this.projector, work, whyItIsSkipped(work.routed()));
		this.settlement.skipped(work);
	}

	private static String whyItIsSkipped(RoutedEvent routed) {
		if (!routed.isMarker()) {
			return "no handler takes type " + Quoted.of(routed.event().type());
		}
		return routed.isSchedule() ? "the server publishes it when it is due" : "the server wrote it";
	}

	/**
	 * Returns the decision. If the attempt or the letter cannot be written, the event is
	 * retried later.
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
		logger.error("Projector '{}' can write neither an attempt nor a dead letter for {}: {}. It retries in {}.",
				this.projector, work, this.texts.of(reason), DurationText.of(this.longestDelay));
		logger.debug("Projector '{}' could not write an attempt or a dead letter.", this.projector, reason);
	}

}
