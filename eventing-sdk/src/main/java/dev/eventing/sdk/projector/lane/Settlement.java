package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.deadletter.LetterCause;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.RepeatedFailures;
import dev.eventing.sdk.projector.lane.FailureHandler.Verdict;

/**
 * Settles the events of a lane after the commit that decides about them: acks or terms
 * them, or lets them wait for another attempt. For the thread of the lane.
 */
final class Settlement {

	private final boolean ordered;

	private final LaneQueue queue;

	private final InFlight inFlight;

	private final ProjectorCounters counters;

	private final RepeatedFailures repeated;

	Settlement(Ordering ordering, LaneQueue queue, InFlight inFlight, ProjectorCounters counters,
			RepeatedFailures repeated) {
		this.repeated = repeated;
		this.ordered = ordering != Ordering.NONE;
		this.queue = queue;
		this.inFlight = inFlight;
		this.counters = counters;
	}

	/**
	 * Acks a part after its transaction was committed.
	 * @param fresh the number of events that were applied; the others are duplicates
	 */
	void applied(List<Work> part, int fresh) {
		this.counters.transactions.increment();
		this.counters.processed.add(fresh);
		this.counters.duplicates.add(part.size() - fresh);
		if (fresh > 0) {
			this.repeated.succeeded();
		}
		ack(part);
	}

	/** Acks an event that no handler takes and that needs no dead letter. */
	void skipped(Work work) {
		this.counters.skipped.increment();
		ack(List.of(work));
	}

	/** Acks an event that was applied before, or has a letter. */
	void duplicate(Work work) {
		this.counters.duplicates.increment();
		ack(List.of(work));
	}

	/** Terms an event that was parked because of a dead letter of its key. */
	void parked(Work work) {
		this.counters.parked.increment();
		term(work, LetterCause.BEHIND);
	}

	/**
	 * Settles an event by the committed decision about it, or lets it wait for its retry.
	 */
	void conclude(Work work, Verdict verdict) {
		if (verdict instanceof Verdict.Applied) {
			duplicate(work);
		}
		else if (verdict instanceof Verdict.Held held) {
			waitInPlace(work, held.delay());
		}
		else if (verdict instanceof Verdict.Dead dead) {
			this.counters.deadLetters.increment();
			term(work, dead.reason());
		}
		else if (verdict instanceof Verdict.Retry retry) {
			// if the stream would drop the event before the retry, the event waits here
			if (!this.ordered && work.settler().isKeptFor(retry.delay())) {
				work.settler().nak(retry.delay());
				this.inFlight.remove(work);
			}
			else {
				waitInPlace(work, retry.delay());
			}
		}
	}

	/** Retries the event after the delay. Later events of its key wait for it. */
	void waitInPlace(Work work, Duration delay) {
		if (!this.queue.holdIfBlocked(work)) {
			this.queue.retryAfter(work, delay);
		}
	}

	private void ack(List<Work> works) {
		works.forEach((work) -> work.settler().acknowledge());
		this.inFlight.removeAll(works);
		works.forEach(this.queue::release);
	}

	private void term(Work work, String reason) {
		work.settler().term(reason);
		this.inFlight.remove(work);
		this.queue.release(work);
	}

}
