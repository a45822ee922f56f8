package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.attempt.TransientFailures.TransientFailure;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.failure.RepeatedFailures;
import dev.eventing.sdk.projector.feed.CurrentState;
import dev.eventing.sdk.projector.feed.Intake;
import dev.eventing.sdk.projector.feed.Undelivered;
import dev.eventing.sdk.projector.lane.Lanes;
import dev.eventing.sdk.projector.redrive.RedriveLoop;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;

/** The state of a running projector, from the states of its parts. Sends no request. */
final class RunningState {

	private final ProjectorEndpoint endpoint;

	private final ProjectorLease lease;

	private final BooleanSupplier ending;

	private final InFlight inFlight;

	private final TransientFailures transientFailures;

	private final RepeatedFailures repeated;

	private final Lanes lanes;

	private final Intake intake;

	private final RedriveLoop redriveLoop;

	private final List<SupervisedWorker> workers;

	/**
	 * Of these parts.
	 * @param ending whether the projector is being stopped
	 */
	RunningState(ProjectorEndpoint endpoint, ProjectorAssembly parts, ProjectorLease lease, BooleanSupplier ending) {
		this.endpoint = endpoint;
		this.lease = lease;
		this.ending = ending;
		this.inFlight = parts.inFlight();
		this.transientFailures = parts.transientFailures();
		this.repeated = parts.repeated();
		this.lanes = parts.lanes();
		this.intake = parts.intake();
		this.redriveLoop = parts.redriveLoop();
		this.workers = parts.workers();
	}

	/** The state of the intake, unless another thread has a problem. */
	CurrentState.Entry now() {
		CurrentState.Entry state = this.intake.state();
		Optional<WorkerFailure> failure = this.workers.stream()
			.map(SupervisedWorker::failure)
			.filter(Objects::nonNull)
			.findFirst();
		if (failure.isPresent()) {
			return CurrentState.Entry.restarting(failure.get());
		}
		if (state.state() == ProjectorState.STOPPED && !this.ending.getAsBoolean()) {
			return new CurrentState.Entry(ProjectorState.RESTARTING, "it ended without being stopped", state.since());
		}
		return state.state().isReading() ? runningState(state) : state;
	}

	/**
	 * A stall is reported before a wait for the database, because it does not end by
	 * itself and may be the cause of the wait.
	 */
	private CurrentState.Entry runningState(CurrentState.Entry state) {
		RepeatedFailures.Paused paused = this.repeated.current();
		if (paused != null) {
			return new CurrentState.Entry(ProjectorState.PAUSED_BY_FAILURES, paused.describe(), paused.since());
		}
		Stall stall = stall();
		if (stall != null && this.lease.isCurrent()) {
			return CurrentState.Entry.stalled(stall);
		}
		TransientFailure transientFailure = this.transientFailures.current();
		if (transientFailure != null && transientFailure.missing() != null) {
			return new CurrentState.Entry(ProjectorState.FAILED,
					"The SDK's tables cannot be used: " + transientFailure.missing(), transientFailure.since());
		}
		if (transientFailure != null) {
			return new CurrentState.Entry(ProjectorState.WAITING_FOR_DATABASE, transientFailure.error(),
					transientFailure.since());
		}
		if (!this.lease.isCurrent()) {
			return new CurrentState.Entry(ProjectorState.WAITING_FOR_DATABASE,
					"the lease was not renewed in time; no events are taken until it is", state.since());
		}
		return state;
	}

	/** The current stall, or null. Sends no request. */
	@Nullable Stall stall() {
		Duration longest = this.transientFailures.withOutage(this.endpoint.options().flow().stalledAfter());
		if (this.ending.getAsBoolean() || !this.intake.state().state().isReading() || this.repeated.isPaused()) {
			return null;
		}
		Stall lane = this.lanes.stall(longest);
		if (lane != null) {
			return lane;
		}
		Stall redrive = this.redriveLoop.stall(longest);
		if (redrive != null || this.transientFailures.current() != null) {
			return redrive;
		}
		SupervisedWorker reader = this.intake.worker();
		if (reader.sinceBeat().compareTo(longest) > 0) {
			return new Stall(reader.name(), "it reads nothing", reader.sinceBeat(), reader.stack());
		}
		Undelivered undelivered = this.intake.undelivered();
		if (undelivered != null && undelivered.lasts().compareTo(longest) > 0) {
			return new Stall(reader.name(), undelivered.why(), undelivered.lasts(), List.of());
		}
		Duration still = this.inFlight.standsStillFor();
		return (still.compareTo(longest) > 0) ? new Stall(this.endpoint.name(),
				"none of the " + this.inFlight.size() + " events it holds is settled", still, List.of()) : null;
	}

}
