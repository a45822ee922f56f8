package dev.eventing.sdk.projector.lane;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.eventing.sdk.projector.attempt.CurrentRun;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.lane.FailureHandler.Verdict;
import dev.eventing.sdk.projector.suspect.SuspectGate;
import dev.eventing.sdk.projector.suspect.Suspects;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import org.jspecify.annotations.Nullable;

/**
 * Applies a part of a batch, and waits transient failures out. A likely suspect runs
 * alone, and its attempt is counted before its handler runs. For the thread of the lane,
 * except {@link #takeBack} and {@link #currentRun}.
 */
public final class LaneAttempt {

	private final HandlerTransaction transaction;

	private final EventRecords records;

	private final FailureHandler failureHandler;

	private final TransientFailures transientFailures;

	private final Suspects suspects;

	private final InFlight inFlight;

	private final CurrentRun currentRun = new CurrentRun();

	/** The running event whose attempt was counted before its handler ran, or null. */
	private final AtomicReference<@Nullable Work> counted = new AtomicReference<>();

	/**
	 * Creates the attempts of one lane.
	 * @param records called at the end of the transaction of each part
	 */
	public LaneAttempt(HandlerTransaction transaction, EventRecords records, FailureHandler failureHandler,
			TransientFailures transientFailures, Suspects suspects, InFlight inFlight) {
		this.transaction = transaction;
		this.records = records;
		this.failureHandler = failureHandler;
		this.transientFailures = transientFailures;
		this.suspects = suspects;
		this.inFlight = inFlight;
	}

	CurrentRun currentRun() {
		return this.currentRun;
	}

	/**
	 * Runs an action of the SDK's own, and waits transient failures out.
	 * @throws InterruptedException if the projector stops before the action succeeded
	 */
	<T> T insist(Supplier<T> action) throws InterruptedException {
		return this.transientFailures.insist(() -> {
			this.currentRun.again();
			return action.get();
		});
	}

	/** Looks suspects up, and divides them into parts in the order to run. */
	List<List<Work>> sift(List<Work> works) throws InterruptedException {
		return insist(() -> this.suspects.sift(works));
	}

	/**
	 * Applies a part in one transaction and settles it.
	 * @return the failure, or null if it succeeded
	 */
	@Nullable Throwable attempt(List<Work> part, Settlement settlement) throws InterruptedException {
		Work first = part.get(0);
		return switch (first.suspicion()) {
			case LIKELY, COUNTED -> attemptAlone(first, settlement);
			case UNMARKED -> this.transientFailures.attempt(part, () -> {
				this.currentRun.begin(first.routed());
				if (first.suspicion() == Suspicion.UNMARKED) {
					this.suspects.mark(part);
				}
				apply(part, settlement);
			});
			default -> this.transientFailures.attempt(part, () -> apply(part, settlement));
		};
	}

	/**
	 * Counts the attempt right before the handler runs, if it is not counted yet. If no
	 * attempts are left, the event becomes a dead letter instead. Takes the attempt back
	 * if a stop or a lost lease ends it.
	 */
	private @Nullable Throwable attemptAlone(Work work, Settlement settlement) throws InterruptedException {
		try {
			return this.transientFailures.attempt(List.of(work), () -> {
				this.currentRun.begin(work.routed());
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
	 * Takes back the current attempt when the projector stops, if it was counted before
	 * its handler ran. During a transient failure it stays counted. For any thread.
	 */
	void takeBack() {
		Work work = this.counted.getAndSet(null);
		if (work != null && this.transientFailures.current() == null) {
			this.failureHandler.takeBack(work);
		}
	}

	private void apply(List<Work> part, Settlement settlement) {
		this.currentRun.begin(part.get(0).routed());
		int fresh = this.transaction.apply(Work.routed(part), new Part(part));
		settlement.applied(part, fresh);
	}

	/** A part of the lane's batch in its transaction. */
	private final class Part implements HandlerTransaction.Participant {

		private final List<Work> works;

		private Part(List<Work> works) {
			this.works = works;
		}

		@Override
		public void called(RoutedEvent first) {
			LaneAttempt.this.currentRun.begin(first);
			LaneAttempt.this.inFlight.goOn();
		}

		@Override
		public void done() {
			LaneAttempt.this.records.applied(this.works);
		}

	}

}
