package dev.eventing.sdk.projector;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.event.PayloadBindingException;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.projector.FailurePath.Verdict;
import dev.eventing.sdk.projector.HandlerTransaction.HandlerFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker that owns some keys: takes what is queued, applies it in one transaction, and
 * settles it after that transaction ended. A batch that fails runs again in parts, until
 * the event that fails alone is found; only that one is an attempt.
 */
final class Lane implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Lane.class);

	private final String projector;

	private final ProjectorOptions options;

	private final LaneQueue queue;

	private final InFlight inFlight;

	private final HandlerTransaction transaction;

	private final FailurePath failurePath;

	private final Disturbances disturbances;

	private final ProjectorCounters counters;

	private final Clock clock;

	Lane(String projector, ProjectorOptions options, LaneQueue queue, InFlight inFlight, HandlerTransaction transaction,
			FailurePath failurePath, Disturbances disturbances, ProjectorCounters counters, Clock clock) {
		this.projector = projector;
		this.options = options;
		this.queue = queue;
		this.inFlight = inFlight;
		this.transaction = transaction;
		this.failurePath = failurePath;
		this.disturbances = disturbances;
		this.counters = counters;
		this.clock = clock;
	}

	LaneQueue queue() {
		return this.queue;
	}

	@Override
	public void run() {
		try {
			List<Work> batch = this.queue.take(this.options.batchSize());
			while (!batch.isEmpty()) {
				run(batch);
				batch = this.queue.take(this.options.batchSize());
			}
		}
		catch (InterruptedException | OwnershipLostException ex) {
			logger.debug("Lane of projector '{}' stops.", this.projector, ex);
		}
	}

	private void run(List<Work> batch) throws InterruptedException {
		Deque<List<Work>> parts = new ArrayDeque<>();
		parts.push(batch);
		while (!parts.isEmpty()) {
			List<Work> part = runnable(parts.pop());
			if (part.isEmpty()) {
				continue;
			}
			Throwable failure = attempt(part);
			if (failure != null && part.size() == 1) {
				Work work = part.get(0);
				this.counters.failedAttempts.increment();
				conclude(work, insist(work, () -> this.failurePath.failed(work, failure)));
			}
			else if (failure != null) {
				split(part, failure, parts);
			}
		}
	}

	/**
	 * What of a part a handler can be given now: not what waits behind a failed event.
	 */
	private List<Work> runnable(List<Work> part) throws InterruptedException {
		List<Work> runnable = new ArrayList<>(part.size());
		for (Work work : part) {
			if (!this.queue.holdIfBlocked(work) && isAcceptable(work)) {
				runnable.add(work);
			}
		}
		return runnable;
	}

	private boolean isAcceptable(Work work) throws InterruptedException {
		if (work.read() instanceof ReadResult.Unreadable unreadable) {
			refuse(work, "UNREADABLE:" + unreadable.reason(), new Failure("Unreadable", unreadable.detail(), null));
			return false;
		}
		if (work.handler() == null) {
			noHandler(work);
			return false;
		}
		GivenUp givenUp = work.givenUp();
		if (givenUp != null) {
			refuse(work, givenUp.reason(), givenUp.failure());
			return false;
		}
		try {
			work.bound();
			return true;
		}
		catch (PayloadBindingException ex) {
			refuse(work, "UNREADABLE:PAYLOAD", Failure.of(ex));
			return false;
		}
	}

	private void noHandler(Work work) throws InterruptedException {
		if (this.options.unknownType() == UnknownTypePolicy.DEAD_LETTER) {
			refuse(work, "UNKNOWN_TYPE",
					new Failure("UnknownType", "No handler of projector '" + this.projector + "' takes type '"
							+ work.event().type() + "' on subject '" + work.origin().subject() + "'.", null));
			return;
		}
		logger.debug("Projector '{}' skips {}: no handler takes type '{}'.", this.projector, work, work.event().type());
		this.counters.skipped.increment();
		done(work);
	}

	private void refuse(Work work, String reason, Failure failure) throws InterruptedException {
		conclude(work, insist(work, () -> this.failurePath.refuse(work, reason, failure)));
	}

	/** Applies a part in one transaction and settles it; returns the failure, or null. */
	private @Nullable Throwable attempt(List<Work> part) throws InterruptedException {
		Disturbances.Patience patience = this.disturbances.patience();
		while (true) {
			try {
				if (part.get(0).isSuspect()) {
					SuspectTurn.run(this.options.ackWait(), () -> applySuspect(part));
				}
				else {
					apply(part);
				}
				this.disturbances.over();
				return null;
			}
			catch (OwnershipLostException ex) {
				throw ex;
			}
			catch (Throwable ex) {
				this.disturbances.throwIfStopping();
				if (!patience.waitOut(ex)) {
					return ex;
				}
			}
		}
	}

	private void apply(List<Work> part) {
		int fresh = this.transaction.apply(part);
		settle(part, fresh);
	}

	/** Writes its attempt ahead, unless that was done or its attempts are used up. */
	private void applySuspect(List<Work> part) {
		Work work = part.get(0);
		Verdict verdict = work.isBegun() ? Verdict.GO : this.failurePath.begin(work);
		if (verdict instanceof Verdict.Dead) {
			conclude(work, verdict);
		}
		else {
			apply(part);
		}
	}

	private void settle(List<Work> part, int fresh) {
		this.counters.transactions.increment();
		this.counters.processed.add(fresh);
		this.counters.duplicates.add(part.size() - fresh);
		part.forEach(this::done);
	}

	private void done(Work work) {
		work.origin().acknowledge();
		this.inFlight.remove(work);
		this.queue.release(work);
	}

	/**
	 * Gets a verdict; an event whose attempt or letter cannot be written is never
	 * dropped.
	 */
	private Verdict insist(Work work, Supplier<Verdict> decision) throws InterruptedException {
		try {
			return this.disturbances.insist(decision);
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// the message of a database error may quote the event
			logger.error(
					"Projector '{}' can write neither an attempt nor a dead letter for {}: {}; it is tried again in {}.",
					this.projector, work, ex.getClass().getName(), this.options.retryMaxDelay());
			logger.debug("What kept projector '{}' from writing.", this.projector, ex);
			return new Verdict.Retry(0, this.options.retryMaxDelay());
		}
	}

	private void conclude(Work work, Verdict verdict) {
		if (verdict instanceof Verdict.Dead dead) {
			this.counters.deadLetters.increment();
			work.origin().terminate(dead.reason());
			this.inFlight.remove(work);
			this.queue.release(work);
		}
		else if (verdict instanceof Verdict.Retry retry) {
			if (this.options.ordering() == Ordering.NONE) {
				work.origin().giveBack(retry.delay());
				this.inFlight.remove(work);
			}
			else {
				this.queue.retryAt(work, this.clock.instant().plus(retry.delay()));
			}
		}
	}

	/**
	 * Cuts a failed part so that its events run in order again: around the event whose
	 * handler threw, or in halves when the transaction failed as a whole.
	 */
	private static void split(List<Work> part, Throwable failure, Deque<List<Work>> parts) {
		Work culprit = (failure instanceof HandlerFailedException handler) ? handler.culprit() : null;
		int at = (culprit != null) ? part.indexOf(culprit) : -1;
		if (at < 0) {
			int half = part.size() / 2;
			parts.push(part.subList(half, part.size()));
			parts.push(part.subList(0, half));
			return;
		}
		if (at + 1 < part.size()) {
			parts.push(part.subList(at + 1, part.size()));
		}
		parts.push(part.subList(at, at + 1));
		if (at > 0) {
			parts.push(part.subList(0, at));
		}
	}

}
