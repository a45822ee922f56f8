package dev.eventing.sdk.projector.container;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.attempt.TransientFailure;
import dev.eventing.sdk.projector.failure.RepeatedFailures;
import dev.eventing.sdk.projector.feed.CurrentState.Entry;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;

/**
 * Signs that the parts of a running projector show, and the state that follows. Several
 * signs may be there at once: {@link #ORDER} is the order in which they count.
 *
 * @param intake the state of the intake, which is the projector's if no sign is there
 * @param ending whether the projector is being stopped
 * @param stall what makes no progress, or null
 * @param failure a thread that ended and begins again, or null
 * @param paused the pause after repeated failures, or null
 * @param transientFailure the failure of the database that is waited out, or null
 * @param leaseIsCurrent whether no other node can own the projector
 */
record StateSigns(Entry intake, boolean ending, @Nullable Stall stall, @Nullable WorkerFailure failure,
		RepeatedFailures.@Nullable Paused paused, @Nullable TransientFailure transientFailure, boolean leaseIsCurrent) {

	/**
	 * The first sign that is there decides. What does not end by itself stands before
	 * what does, and a cause before its effects: a handler that hangs may be why the
	 * projector waits for the database. What an operator must correct stands before what
	 * is tried again by itself. Waits for a server stand last.
	 */
	private static final List<Function<StateSigns, @Nullable Entry>> ORDER = List.of(StateSigns::stalled,
			StateSigns::toCorrect, StateSigns::restarting, StateSigns::pausedByFailures, StateSigns::intakeWaits,
			StateSigns::waitsForDatabase, StateSigns::waitsForLease);

	/** The state of the projector. */
	Entry state() {
		return ORDER.stream().map((sign) -> sign.apply(this)).filter(Objects::nonNull).findFirst().orElse(this.intake);
	}

	private @Nullable Entry stalled() {
		return (this.stall != null) ? Entry.stalled(this.stall) : null;
	}

	private @Nullable Entry toCorrect() {
		if (this.transientFailure != null && this.transientFailure.lasting() && isAtWork()) {
			return new Entry(ProjectorState.FAILED, this.transientFailure.error(), this.transientFailure.since());
		}
		return (this.intake.state() == ProjectorState.FAILED) ? this.intake : null;
	}

	/** The end of the intake counts more than a failure of another thread beside it. */
	private @Nullable Entry restarting() {
		if (this.intake.state() == ProjectorState.STOPPED && !this.ending) {
			return new Entry(ProjectorState.RESTARTING, "it ended without being stopped", this.intake.since());
		}
		return (this.failure != null) ? Entry.restarting(this.failure) : null;
	}

	private @Nullable Entry pausedByFailures() {
		return (this.paused != null && isAtWork())
				? new Entry(ProjectorState.PAUSED_BY_FAILURES, this.paused.describe(), this.paused.since()) : null;
	}

	private @Nullable Entry intakeWaits() {
		return isWaiting() ? this.intake : null;
	}

	private @Nullable Entry waitsForDatabase() {
		return (this.transientFailure != null && isAtWork()) ? new Entry(ProjectorState.WAITING_FOR_DATABASE,
				this.transientFailure.error(), this.transientFailure.since()) : null;
	}

	private @Nullable Entry waitsForLease() {
		return (!this.leaseIsCurrent && isAtWork())
				? new Entry(ProjectorState.WAITING_FOR_DATABASE,
						"the lease was not renewed in time; no events are taken until it is", this.intake.since())
				: null;
	}

	/** Neither stopped nor paused by an operator, and not about to start. */
	private boolean isAtWork() {
		return this.intake.state().isReading() || isWaiting();
	}

	private boolean isWaiting() {
		return this.intake.state() == ProjectorState.WAITING_FOR_NATS
				|| this.intake.state() == ProjectorState.WAITING_FOR_DATABASE
				|| this.intake.state() == ProjectorState.WAITING_FOR_NEWER_CODE;
	}

}
