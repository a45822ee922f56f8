package dev.eventing.sdk.projector.container;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.event.DurationText;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.feed.CurrentState;
import dev.eventing.sdk.projector.feed.Intake;
import dev.eventing.sdk.projector.lane.FollowerParking;
import dev.eventing.sdk.projector.lane.Lanes;
import dev.eventing.sdk.projector.redrive.RedriveLoop;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.worker.OneShot;
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

	/**
	 * How long a stop waits for threads that it interrupted. Then it leaves them alone.
	 */
	private static final Duration ABANDON_WAIT = Duration.ofSeconds(2);

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

	private final TransientFailures transientFailures;

	private final Lanes lanes;

	private final Intake intake;

	/** What runs beside the intake and the lanes. */
	private final List<SupervisedWorker> helpers;

	private final RedriveLoop redriveLoop;

	private volatile boolean ending;

	private final RunningState state;

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
		this.transientFailures = parts.transientFailures();
		this.lanes = parts.lanes();
		this.intake = parts.intake();
		this.helpers = parts.helpers();
		this.redriveLoop = parts.redriveLoop();
		this.state = new RunningState(endpoint, parts, projectorLease, () -> this.ending);
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
	 * Starts its threads. If that fails, because the process can have no more threads for
	 * example, it is abandoned before this method throws: all of them end.
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
						+ this.redriveLoop.alarm(),
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

	/**
	 * Stops cleanly if possible: takes no more events, runs what the lanes hold within
	 * the time, naks what they have not begun, and saves the position.
	 * @return the place up to which all events are settled, and no later one is; null if
	 * that is not so or not known
	 */
	@Nullable Long stop(Duration drain) throws InterruptedException {
		this.ending = true;
		this.parts.repeated().stop();
		this.intake.stop();
		this.redriveLoop.requestStop();
		long end = System.nanoTime() + drain.toNanos();
		endIntake(drain.dividedBy(2));
		this.helpers.forEach(SupervisedWorker::requestStop);
		for (SupervisedWorker helper : this.helpers) {
			helper.join(left(end));
		}
		boolean drained = endLanes(drain, end);
		boolean hasRead = endOfIntake();
		endSignals();
		Long settledTo = (drained && hasRead) ? this.intake.settledTo() : null;
		this.lanes.drain().forEach(this::nak);
		if (hasRead) {
			save(drained && this.inFlight.size() == 0, left(end).plus(ABANDON_WAIT));
		}
		return settledTo;
	}

	/** Returns false if a handler still runs. */
	private boolean endLanes(Duration drain, long end) throws InterruptedException {
		this.lanes.close();
		if (this.transientFailures.current() != null || !this.projectorLease.isCurrent()) {
			this.abandon.countDown();
			this.redriveLoop.worker().interrupt(); // it may wait for a connection
		}
		boolean drained = join(left(end));
		this.abandon.countDown();
		if (!drained) {
			logger.warn(
					"Projector '{}' still runs a handler after {}. It is interrupted, and its event runs again later.",
					name(), DurationText.of(drain));
			this.lanes.interrupt();
			this.redriveLoop.worker().interrupt();
			this.open.abort();
			drained = join(ABANDON_WAIT);
			this.lanes.takeBackAttempts();
		}
		return drained;
	}

	/** Returns false if the intake still runs. */
	private boolean endOfIntake() throws InterruptedException {
		if (this.intake.worker().join(Duration.ZERO)) {
			return true;
		}
		this.open.abort(); // the lanes have ended: open transactions are the intake's
		return this.intake.worker().join(ABANDON_WAIT);
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

	/** Whether it fills a read model from the beginning. */
	boolean isFilling() {
		return this.parts.isFilling();
	}

	/** Whether it has done its work, and must start again. */
	boolean isFilled() {
		return this.parts.isFilled();
	}

	/** The intake may wait for a connection, as long as the pool allows. */
	private void endIntake(Duration wait) throws InterruptedException {
		if (!this.intake.worker().join(wait)) {
			this.intake.worker().interrupt();
			this.intake.worker().join(ABANDON_WAIT);
		}
	}

	/**
	 * Saves on a separate thread, so that the stop does not wait long for the database.
	 */
	private void save(boolean cleanStop, Duration wait) throws InterruptedException {
		OneShot saving = OneShot.daemon(this.endpoint.id().thread("save"), () -> this.intake.save(cleanStop));
		if (!saving.runWithin(wait)) {
			logger.warn("Projector '{}' stops without saving its position: the database does not answer.", name());
			this.open.abort();
		}
	}

	private static Duration left(long end) {
		return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
	}

	private boolean join(Duration wait) throws InterruptedException {
		long end = System.nanoTime() + wait.toNanos();
		boolean ended = this.lanes.join(wait);
		return this.redriveLoop.worker().join(left(end)) && ended;
	}

	/** Ends it: cleanly while it belongs to this node, at once if it does not. */
	void end(Duration drain) throws InterruptedException {
		if (this.projectorLease.isOver()) {
			abandon();
		}
		else {
			stop(drain);
		}
	}

	/**
	 * Stops because another node may own the projector, or the start failed. Open
	 * transactions cannot commit any more. Sends nothing that would affect another owner.
	 */
	void abandon() throws InterruptedException {
		this.ending = true;
		this.parts.repeated().stop();
		endSignals();
		this.intake.stop();
		this.redriveLoop.requestStop();
		this.lanes.drain().forEach(this.inFlight::remove);
		this.lanes.close();
		this.abandon.countDown();
		this.redriveLoop.worker().interrupt();
		this.lanes.interrupt();
		this.helpers.forEach(SupervisedWorker::requestStop);
		this.open.abort();
		if (!join(ABANDON_WAIT)) {
			logger.warn("Projector '{}' still runs a handler. Its changes cannot be committed any more.", name());
		}
		this.intake.worker().join(ABANDON_WAIT);
		this.lanes.drain().forEach(this.inFlight::remove);
	}

	/** Keeps an interrupt for the caller, so that it learns why the start failed. */
	private void abandonUninterrupted() {
		try {
			abandon();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void nak(Work work) {
		work.settler().nak();
		this.inFlight.remove(work);
	}

	private void endSignals() {
		PeriodicTasks.Task current = this.signals;
		if (current != null) {
			current.cancel();
		}
	}

}
