package dev.eventing.sdk.projector.lane;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.eventing.sdk.projector.attempt.CurrentRun;
import dev.eventing.sdk.projector.attempt.SuspectGate;
import dev.eventing.sdk.projector.attempt.Suspects;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.lane.FailureHandler.Verdict;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import org.jspecify.annotations.Nullable;

/**
 * Tries to apply a part of a batch, and waits transient failures out. An event that a
 * process may have died from runs alone, and its attempt is counted before its handler
 * runs. For the thread of the lane, but for {@link #takeBack}.
 */
public final class LaneAttempt {

	private final HandlerTransaction transaction;

	private final FailureHandler failureHandler;

	private final TransientFailures transientFailures;

	private final Suspects suspects;

	private final InFlight inFlight;

	/** What runs now. */
	private final CurrentRun currentRun = new CurrentRun();

	/** The event whose attempt is counted ahead and under way. */
	private final AtomicReference<@Nullable Work> counted = new AtomicReference<>();

	public LaneAttempt(HandlerTransaction transaction, FailureHandler failureHandler,
			TransientFailures transientFailures, Suspects suspects, InFlight inFlight) {
		this.transaction = transaction;
		this.failureHandler = failureHandler;
		this.transientFailures = transientFailures;
		this.suspects = suspects;
		this.inFlight = inFlight;
	}

	CurrentRun currentRun() {
		return this.currentRun;
	}

	/** Does what must be done, waiting transient failures out; each try begins anew. */
	<T> T insist(Supplier<T> action) throws InterruptedException {
		return this.transientFailures.insist(() -> {
			this.currentRun.again();
			return action.get();
		});
	}

	/** Looks suspects up, and cuts them into the parts that they are to run in. */
	List<List<Work>> sift(List<Work> works) throws InterruptedException {
		return insist(() -> this.suspects.sift(works));
	}

	/**
	 * Applies a part in one transaction and settles it.
	 * @return why that failed, or null: it did not
	 */
	@Nullable Throwable attempt(List<Work> part, Settlement settlement) throws InterruptedException {
		Work first = part.get(0);
		return switch (first.suspicion()) {
			case LIKELY, COUNTED -> attemptAlone(first, settlement);
			case UNMARKED -> this.transientFailures.attempt(() -> {
				this.currentRun.begin(first);
				if (first.suspicion() == Suspicion.UNMARKED) {
					this.suspects.mark(part);
				}
				apply(part, settlement);
			});
			default -> this.transientFailures.attempt(() -> apply(part, settlement));
		};
	}

	/**
	 * Counts its attempt right before its handler runs, unless that was done or its
	 * attempts are used up; takes it back where it ends without having failed.
	 */
	private @Nullable Throwable attemptAlone(Work work, Settlement settlement) throws InterruptedException {
		try {
			return this.transientFailures.attempt(() -> {
				this.currentRun.begin(work);
				SuspectGate.OF_PROCESS.run(() -> applyAlone(work, settlement));
			});
		}
		catch (InterruptedException | OwnershipLostException ex) {
			takeBack();
			throw ex;
		}
		finally {
			this.counted.set(null);
		}
	}

	private void applyAlone(Work work, Settlement settlement) {
		if (work.suspicion() == Suspicion.LIKELY && this.suspects.isFree(work)) {
			Verdict verdict = this.failureHandler.begin(work);
			if (!(verdict instanceof Verdict.Go)) {
				settlement.conclude(work, verdict);
				return;
			}
			this.counted.set(work);
		}
		apply(List.of(work), settlement);
	}

	/**
	 * The attempt that is under way, if it was counted ahead, is none: the projector
	 * stops while its handler runs. For any thread.
	 */
	void takeBack() {
		Work work = this.counted.getAndSet(null);
		if (work != null && this.transientFailures.current() == null) {
			this.failureHandler.takeBack(work);
		}
	}

	private void apply(List<Work> part, Settlement settlement) {
		this.currentRun.begin(part.get(0));
		int fresh = this.transaction.apply(part, this::called);
		settlement.applied(part, fresh);
	}

	private void called(Work first) {
		this.currentRun.begin(first);
		this.inFlight.goOn();
	}

}
