package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.attempt.TransientFailures;
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

	/** The longest time for a query or a pull of a helper. */
	private static final Duration HELPERS = Duration.ofSeconds(15);

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

	/** Those that look for redrives, pauses, advisories and due effects. */
	private final List<SupervisedWorker> helpers;

	/** When the lease was seen to be current, by {@link System#nanoTime}. */
	private volatile long currentAt = System.nanoTime();

	/**
	 * Combines the states of these parts.
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
		this.helpers = Stream.concat(parts.shared().stream(), parts.helpers().stream()).toList();
	}

	/**
	 * The state that the signs of all parts make together.
	 * @param ownersFailure the failure of the thread that watches the lease, or null
	 */
	CurrentState.Entry now(@Nullable WorkerFailure ownersFailure) {
		WorkerFailure failure = this.workers.stream()
			.map(SupervisedWorker::failure)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(ownersFailure);
		return new StateSigns(this.intake.state(), this.ending.getAsBoolean(), stall(), failure,
				this.repeated.current(), this.transientFailures.current(), this.lease.isCurrent())
			.state();
	}

	/** How long the lease has not been current, as far as was seen. */
	private Duration sinceCurrent() {
		long now = System.nanoTime();
		if (this.lease.isCurrent()) {
			this.currentAt = now;
		}
		return Duration.ofNanos(now - this.currentAt);
	}

	private Duration limit() {
		return this.transientFailures.withOutage(this.endpoint.setting(ProjectorSettings::stalledAfter));
	}

	/**
	 * The current stall, or null. While the lease is not current, a stall counts only if
	 * it was one before, because the wait for the lease may cause one. Sends no request.
	 */
	@Nullable Stall stall() {
		return stall(limit().plus(sinceCurrent()));
	}

	/** Whatever the intake waits for, a handler that does not return is a stall. */
	private @Nullable Stall stall(Duration longest) {
		ProjectorState reading = this.intake.state().state();
		if (this.ending.getAsBoolean() || reading == ProjectorState.PAUSED || this.repeated.isPaused()) {
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
		List<Stall> threads = Stream
			.concat(reader.stalls(longest).stream().map((stall) -> stall.because("it reads nothing")),
					this.helpers.stream().flatMap((helper) -> helper.stalls(longest.plus(HELPERS)).stream()))
			.toList();
		if (!threads.isEmpty()) {
			return threads.get(0);
		}
		Stall undelivered = (reading.isReading() || reading == ProjectorState.WAITING_FOR_NATS)
				? undelivered(reader, longest) : null;
		return (undelivered == null && reading.isReading()) ? unsettled(longest) : undelivered;
	}

	/**
	 * A server that denies the requests for events may answer all others. Then the intake
	 * reads and waits in turns. In an outage, the intake names no undelivered events.
	 */
	private @Nullable Stall undelivered(SupervisedWorker reader, Duration longest) {
		Undelivered undelivered = this.intake.undelivered();
		return (undelivered != null && undelivered.lasts().compareTo(longest) > 0)
				? new Stall(reader.name(), undelivered.why(), undelivered.lasts(), List.of()) : null;
	}

	private @Nullable Stall unsettled(Duration longest) {
		Duration still = this.inFlight.standsStillFor();
		return (still.compareTo(longest) > 0) ? new Stall(this.endpoint.name(),
				"none of the " + this.inFlight.size() + " events it holds is settled", still, List.of()) : null;
	}

}
