package dev.eventing.sdk.projector.container;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.feed.CurrentState;
import dev.eventing.sdk.projector.feed.Intake;
import dev.eventing.sdk.projector.lane.FollowerParking;
import dev.eventing.sdk.projector.lane.Lanes;
import dev.eventing.sdk.projector.redrive.RedriveLoop;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.worker.PeriodicTasks;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A projector from a start to a stop: an intake and its lanes, each on its own thread.
 */
final class RunningProjector {

	private static final Logger logger = LoggerFactory.getLogger(RunningProjector.class);

	/** How many in-progress signals each unsettled delivery gets per ack wait. */
	private static final int SIGNALS_PER_ACK_WAIT = 3;

	private static final long LOOK_MILLIS = 20;

	private final ProjectorEndpoint endpoint;

	private final ProjectorAssembly parts;

	private final PeriodicTasks tasks;

	private final ProjectorCounters counters;

	private final ProjectorLease projectorLease;

	private final OpenTransactions open;

	private final CountDownLatch abandon;

	private final FollowerParking followers;

	private final InFlight inFlight;

	private final Lanes lanes;

	private final Intake intake;

	/** What runs beside the intake and the lanes. */
	private final List<SupervisedWorker> helpers;

	private final RedriveLoop redriveLoop;

	private final RunningState state;

	private final RunStop stop;

	private PeriodicTasks.@Nullable Task signals;

	RunningProjector(ProjectorEndpoint endpoint, ProjectorAssembly parts, ProjectorCounters counters,
			PeriodicTasks tasks, ProjectorLease projectorLease) {
		this.endpoint = endpoint;
		this.parts = parts;
		this.tasks = tasks;
		this.counters = counters;
		this.projectorLease = projectorLease;
		this.open = parts.open();
		this.abandon = parts.abandon();
		this.followers = parts.followers();
		this.inFlight = parts.inFlight();
		this.lanes = parts.lanes();
		this.intake = parts.intake();
		this.helpers = parts.helpers();
		this.redriveLoop = parts.redriveLoop();
		this.stop = new RunStop(endpoint, parts, projectorLease, this::endSignals);
		this.state = new RunningState(endpoint, parts, projectorLease, this.stop::isUnderWay);
		projectorLease.onSilence(this::giveConnectionsUp);
	}

	/** This node's right to run it. */
	ProjectorLease lease() {
		return this.projectorLease;
	}

	private String name() {
		return this.endpoint.name();
	}

	/**
	 * Makes the source of events ready, so that configuration errors are found now.
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if the operator must
	 * change something
	 */
	void prepare() throws InterruptedException {
		this.intake.prepare();
	}

	/**
	 * Starts its threads. If that fails, for example because no thread can be created,
	 * all of them end before this method throws.
	 */
	void start() {
		boolean started = false;
		try {
			startWorkers();
			started = true;
		}
		finally {
			if (!started) {
				abandonUninterrupted();
			}
		}
	}

	private void startWorkers() {
		if (this.parts.awaitsSignals()) {
			this.signals = this.tasks.every("In-progress signals of projector '" + name() + "'",
					this.endpoint.setting(ProjectorSettings::ackWait).dividedBy(SIGNALS_PER_ACK_WAIT),
					this::sendInProgressSignals);
		}
		this.lanes.start();
		this.redriveLoop.start();
		this.helpers.forEach(SupervisedWorker::start);
		this.intake.worker().start();
	}

	/**
	 * Closes connections that wait for the database, because another node may have taken
	 * over by now.
	 */
	private void giveConnectionsUp() {
		int given = this.open.abort();
		if (given > 0) {
			logger.warn("Projector '{}' gives up {} connections: the database does not answer.", name(), given);
		}
	}

	private void sendInProgressSignals() {
		this.inFlight.all().forEach((work) -> work.settler().inProgress());
	}

	/**
	 * Returns the status.
	 * @param ownersFailure the failure of the thread that watches the lease, or null
	 */
	ProjectorStatus status(@Nullable WorkerFailure ownersFailure) {
		CurrentState.Entry state = this.state.now(ownersFailure);
		return new ProjectorStatus(name(), state.state(),
				state.detail() + this.followers.alarm() + this.inFlight.alarm() + this.intake.alarm()
						+ this.parts.advisoryAlarm() + this.redriveLoop.alarm(),
				state.since(), this.inFlight.size(), this.inFlight.waiting(), this.intake.pending(),
				this.counters.snapshot());
	}

	/** How far it lags, as far as is known. Sends no request. */
	Behind behind(Clock clock) {
		Long unread = this.intake.knownPending();
		if (unread == null) {
			return Behind.UNKNOWN;
		}
		Instant oldest = this.inFlight.oldest();
		Duration time = (unread == 0) ? Duration.ZERO : null;
		if (oldest != null) {
			Duration age = Duration.between(oldest, clock.instant());
			time = age.isNegative() ? Duration.ZERO : age;
		}
		return new Behind(unread + this.inFlight.size(), time);
	}

	/** The current stall, or null. Sends no request. */
	@Nullable Stall stall() {
		return this.state.stall();
	}

	/**
	 * Takes no more events and letters until {@link #release}; completes what it holds.
	 */
	void hold() {
		this.intake.hold();
		this.redriveLoop.hold();
	}

	/** Takes events and letters again. */
	void release() {
		this.intake.release();
		this.redriveLoop.release();
	}

	/** Whether it is held, and runs no handler. */
	boolean isAtRest() throws InterruptedException {
		return this.intake.isAtRest() && this.inFlight.size() == this.inFlight.waiting() && this.redriveLoop.isAtRest();
	}

	/**
	 * The place up to which all events are settled, and no later one is, while it is at
	 * rest; null if that is not so, or not known.
	 */
	@Nullable Long settledTo() throws InterruptedException {
		return isAtRest() ? this.intake.settledTo() : null;
	}

	/** Waits until it has done its work. Returns false if it has not within the time. */
	boolean awaitFilled(Duration wait) throws InterruptedException {
		long end = System.nanoTime() + wait.toNanos();
		while (!isFilled() && System.nanoTime() - end < 0 && !this.projectorLease.isOver()) {
			if (this.abandon.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
				return false;
			}
		}
		return isFilled();
	}

	/**
	 * Why this node must leave it to one with newer code; null if there is no such
	 * reason.
	 */
	@Nullable String newer() {
		return this.intake.newer();
	}

	/** Whether it fills the read model, up to a position. */
	boolean isFilling() {
		return this.parts.isFilling();
	}

	/** Whether it has done its work, and must start again. */
	boolean isFilled() {
		return this.parts.isFilled();
	}

	/**
	 * Stops it cleanly if possible; see {@link RunStop#cleanly}.
	 * @return the place up to which all events are settled, and no later one is; null if
	 * that is not so or not known
	 */
	@Nullable Long stop(Duration drain) throws InterruptedException {
		return this.stop.cleanly(drain);
	}

	/** Ends it: cleanly while it belongs to this node, at once if it does not. */
	void end(Duration drain) throws InterruptedException {
		if (this.projectorLease.isOver()) {
			this.stop.atOnce();
		}
		else {
			stop(drain);
		}
	}

	/** Keeps an interrupt for the caller, so that the failure of the start is thrown. */
	private void abandonUninterrupted() {
		try {
			this.stop.atOnce();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void endSignals() {
		PeriodicTasks.Task current = this.signals;
		if (current != null) {
			current.cancel();
		}
	}

}
