package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.attempt.TransientFailures.TransientFailure;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Work;
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
 * A projector at work, from a start to a stop: an intake and its lanes, each on a thread
 * of its own.
 */
final class RunningProjector {

	private static final Logger logger = LoggerFactory.getLogger(RunningProjector.class);

	/** Unsettled deliveries show a sign of life this often within their ack wait. */
	private static final int SIGNS_PER_ACK_WAIT = 3;

	/**
	 * Threads that do not end within this, though interrupted, are left to themselves.
	 */
	private static final Duration ABANDON_WAIT = Duration.ofSeconds(2);

	private final ProjectorEndpoint endpoint;

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

	private final @Nullable SupervisedWorker advisories;

	private final RedriveLoop redriveLoop;

	private final List<SupervisedWorker> workers;

	private volatile boolean ending;

	private PeriodicTasks.@Nullable Task signs;

	RunningProjector(ProjectorEndpoint endpoint, ProjectorAssembly parts, ProjectorCounters counters,
			PeriodicTasks tasks, ProjectorLease projectorLease) {
		this.endpoint = endpoint;
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
		this.advisories = parts.advisories();
		this.redriveLoop = parts.redriveLoop();
		this.workers = parts.workers();
		projectorLease.onSilence(this::giveConnectionsUp);
	}

	private String name() {
		return this.endpoint.name();
	}

	/**
	 * Makes ready what it reads from, so that a mistake in configuration is found now.
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if a person must
	 * change something
	 */
	void prepare() throws InterruptedException {
		this.intake.prepare();
	}

	void start() {
		if (!this.endpoint.readsEventStore()) {
			this.signs = this.tasks.every("Keeping the deliveries of projector '" + name() + "' alive",
					this.endpoint.options().flow().ackWait().dividedBy(SIGNS_PER_ACK_WAIT), this::showSignsOfLife);
		}
		this.lanes.start();
		this.redriveLoop.start();
		if (this.advisories != null) {
			this.advisories.start();
		}
		this.intake.worker().start();
	}

	/** Whoever waits for the database has waited for longer than another node does. */
	private void giveConnectionsUp() {
		int given = this.open.abort();
		if (given > 0) {
			logger.warn("Projector '{}' gives up {} connections: the database does not answer.", name(), given);
		}
	}

	private void showSignsOfLife() {
		this.inFlight.all().forEach((work) -> work.origin().inProgress());
	}

	/**
	 * What it is doing.
	 * @param ownersFailure why its owner does not look after it now, or null
	 */
	ProjectorStatus status(@Nullable WorkerFailure ownersFailure) {
		CurrentState.Entry own = state();
		CurrentState.Entry state = (ownersFailure != null && own.state() != ProjectorState.RESTARTING)
				? CurrentState.Entry.restarting(ownersFailure) : own;
		return new ProjectorStatus(name(), state.state(),
				state.detail() + this.followers.alarm() + this.inFlight.alarm(), state.since(), this.inFlight.size(),
				this.inFlight.waiting(), this.intake.pending(), this.counters.snapshot());
	}

	/** What its intake says, unless there is something in its way elsewhere. */
	private CurrentState.Entry state() {
		CurrentState.Entry state = this.intake.state();
		Optional<WorkerFailure> failure = this.workers.stream()
			.map(SupervisedWorker::failure)
			.filter(Objects::nonNull)
			.findFirst();
		if (failure.isPresent()) {
			return CurrentState.Entry.restarting(failure.get());
		}
		if (state.state() == ProjectorState.STOPPED && !this.ending) {
			return new CurrentState.Entry(ProjectorState.RESTARTING, "it ended without being stopped", state.since());
		}
		return (state.state() == ProjectorState.RUNNING) ? runningState(state) : state;
	}

	/**
	 * What hangs comes first: it does not go on by itself, as what waits for the database
	 * does, and that may wait for it.
	 */
	private CurrentState.Entry runningState(CurrentState.Entry state) {
		Stall stall = stall();
		if (stall != null && this.projectorLease.isCurrent()) {
			return new CurrentState.Entry(ProjectorState.STALLED, stall.describe(), Instant.now().minus(stall.lasts()));
		}
		TransientFailure transientFailure = this.transientFailures.current();
		if (transientFailure != null) {
			return new CurrentState.Entry(ProjectorState.WAITING_FOR_DATABASE, transientFailure.error(),
					transientFailure.since());
		}
		if (!this.projectorLease.isCurrent()) {
			return new CurrentState.Entry(ProjectorState.WAITING_FOR_DATABASE,
					"the lease was not renewed in time; until it is, nothing is taken in", state.since());
		}
		return state;
	}

	/** Where it stands still, or null; asks nobody. */
	@Nullable Stall stall() {
		Duration longest = this.transientFailures.withOutage(this.endpoint.options().flow().stalledAfter());
		if (this.ending || this.intake.state().state() != ProjectorState.RUNNING) {
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
		Duration still = this.inFlight.standsStillFor();
		return (still.compareTo(longest) > 0) ? new Stall(name(),
				"none of the " + this.inFlight.size() + " events it holds is settled", still, List.of()) : null;
	}

	/**
	 * Stops in order: no more is taken in, what the lanes hold is done within the time,
	 * what was not begun is given back at once.
	 */
	void stop(Duration drain) throws InterruptedException {
		this.ending = true;
		this.intake.stop();
		this.redriveLoop.requestStop();
		long end = System.nanoTime() + drain.toNanos();
		endIntake(drain.dividedBy(2));
		if (this.advisories != null) {
			this.advisories.requestStop();
			this.advisories.join(left(end));
		}
		this.lanes.close();
		if (this.transientFailures.current() != null || !this.projectorLease.isCurrent()) {
			this.abandon.countDown();
			this.redriveLoop.worker().interrupt(); // it may wait for a connection
		}
		boolean drained = join(left(end));
		this.abandon.countDown();
		if (!drained) {
			logger.warn("Projector '{}' still runs a handler after {}; it is interrupted, and its event comes again.",
					name(), drain);
			this.lanes.interrupt();
			this.redriveLoop.worker().interrupt();
			this.open.abort();
			drained = join(ABANDON_WAIT);
			this.lanes.takeBackAttempts();
		}
		boolean hasRead = this.intake.worker().join(Duration.ZERO);
		if (!hasRead) {
			this.open.abort(); // the lanes have ended: what is open is the intake's
			hasRead = this.intake.worker().join(ABANDON_WAIT);
		}
		endSigns();
		this.lanes.drain().forEach(this::nak);
		if (hasRead) {
			save(drained && this.inFlight.size() == 0, left(end).plus(ABANDON_WAIT));
		}
	}

	/** It may wait for a connection, which takes as long as the pool lets it. */
	private void endIntake(Duration wait) throws InterruptedException {
		if (!this.intake.worker().join(wait)) {
			this.intake.worker().interrupt();
			this.intake.worker().join(ABANDON_WAIT);
		}
	}

	/** On a thread of its own: whoever stops does not wait for a database for long. */
	private void save(boolean cleanStop, Duration wait) throws InterruptedException {
		Thread saving = new Thread(() -> this.intake.save(cleanStop), name() + "-save");
		saving.setDaemon(true);
		saving.start();
		saving.join(wait.toMillis());
		if (saving.isAlive()) {
			logger.warn("Projector '{}' stops without saving its position: the database does not answer.", name());
			saving.interrupt();
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

	/**
	 * Stops because another node owns the projector: what is under way cannot be
	 * committed any more, and nothing is sent that the other node would feel.
	 */
	void abandon() throws InterruptedException {
		this.ending = true;
		endSigns();
		this.intake.stop();
		this.redriveLoop.requestStop();
		this.lanes.drain().forEach(this.inFlight::remove);
		this.lanes.close();
		this.abandon.countDown();
		this.redriveLoop.worker().interrupt();
		this.lanes.interrupt();
		if (this.advisories != null) {
			this.advisories.requestStop();
		}
		this.open.abort();
		if (!join(ABANDON_WAIT)) {
			logger.warn("Projector '{}' still runs a handler; what it does cannot be committed any more.", name());
		}
		this.intake.worker().join(ABANDON_WAIT);
		this.lanes.drain().forEach(this.inFlight::remove);
	}

	private void nak(Work work) {
		work.origin().nak();
		this.inFlight.remove(work);
	}

	private void endSigns() {
		PeriodicTasks.Task current = this.signs;
		if (current != null) {
			current.cancel();
		}
	}

}
