package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.attempt.ProjectorThreads;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.feed.CurrentState;
import dev.eventing.sdk.projector.redrive.RedrivePoll;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.worker.Stall;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One projector, which can be started and stopped again and again. Thread-safe.
 */
final class ProjectorContainer {

	private static final Logger logger = LoggerFactory.getLogger(ProjectorContainer.class);

	/** Once it is interrupted; a driver may not hear of that while it reads. */
	private static final Duration START_ENDS_WITHIN = Duration.ofSeconds(2);

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final ProjectorThreads threads;

	private final RedrivePoll redrivePoll;

	private final ProjectorCounters counters = new ProjectorCounters();

	/** Held while it starts or stops, which takes seconds; looking at it never waits. */
	private final ReentrantLock lifecycle = new ReentrantLock();

	private final StartUnderWay starting = new StartUnderWay();

	/** Between a start and a stop, where one node owns the projector. */
	private volatile @Nullable Ownership ownership;

	/** Between a start and a stop, where nodes compete. */
	private volatile @Nullable RunningProjector competing;

	private final AtomicBoolean paused = new AtomicBoolean();

	ProjectorContainer(ProjectorEndpoint endpoint, ProjectorServices services, ProjectorThreads threads,
			RedrivePoll redrivePoll) {
		this.endpoint = endpoint;
		this.services = services;
		this.threads = threads;
		this.redrivePoll = redrivePoll;
	}

	ProjectorEndpoint endpoint() {
		return this.endpoint;
	}

	String name() {
		return this.endpoint.name();
	}

	/**
	 * Starts it: at once, or where another node owns it, when that node is gone.
	 * @return false if a stop came before it had started
	 * @throws JetStreamConfigurationException if stream or durable are not as it needs
	 * them
	 * @throws InterruptedException if the thread is to stop
	 */
	boolean start() throws InterruptedException {
		this.lifecycle.lockInterruptibly();
		try {
			return this.ownership != null || this.competing != null || startUnlessStopped();
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private boolean startUnlessStopped() throws InterruptedException {
		InterruptedException interrupted = null;
		boolean stopped;
		this.starting.begin();
		try {
			begin();
		}
		catch (InterruptedException ex) {
			interrupted = ex;
		}
		finally {
			stopped = this.starting.end();
		}
		if (stopped) {
			end(Duration.ZERO);
		}
		else if (interrupted != null) {
			throw interrupted;
		}
		return !stopped;
	}

	private void begin() throws InterruptedException {
		if (this.endpoint.hasOneOwner()) {
			Ownership next = new Ownership(name(), this.services.leases(), this::running);
			boolean begun = false;
			try {
				if (!next.start()) {
					check();
				}
				this.ownership = next;
				begun = true;
			}
			finally {
				if (!begun) {
					next.stop(Duration.ZERO);
				}
			}
		}
		else {
			RunningProjector next = running(ProjectorLease.shared(this.services.leases()));
			next.prepare();
			boolean begun = false;
			try {
				next.start();
				this.competing = next;
				begun = true;
			}
			finally {
				if (!begun) {
					next.abandon();
				}
			}
		}
	}

	/** Finds mistakes also where this node stands by. */
	private void check() {
		if (this.endpoint.readsEventStore()) {
			return;
		}
		try {
			this.services.streams().carrying(name(), this.endpoint.stream(), this.endpoint.filterSubjects());
		}
		catch (NatsUnavailableException ex) {
			logger.debug("Projector '{}' is not checked while NATS is away.", name(), ex);
		}
	}

	private RunningProjector running(ProjectorLease projectorLease) {
		ProjectorAssembly parts = new ProjectorAssembly(this.endpoint, this.services, this.threads, this.redrivePoll,
				this.counters, this.paused, projectorLease);
		return new RunningProjector(this.endpoint, parts, this.counters, this.threads.tasks(), projectorLease);
	}

	/**
	 * Stops it: no more is taken in, what the lanes hold is done within the time, what
	 * was not begun is given back at once, and another node may have it. A start that is
	 * under way is interrupted, and not waited for if it does not end by that.
	 */
	void stop(Duration drain) throws InterruptedException {
		if (!this.starting.interrupt()) {
			this.lifecycle.lockInterruptibly();
		}
		else if (!this.lifecycle.tryLock(START_ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
			logger.warn("Projector '{}' is still starting; it stops as soon as it has started.", name());
			return;
		}
		try {
			end(drain);
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private void end(Duration drain) throws InterruptedException {
		Ownership owned = this.ownership;
		if (owned != null) {
			this.ownership = null;
			owned.stop(drain);
		}
		RunningProjector shared = this.competing;
		if (shared != null) {
			this.competing = null;
			shared.stop(drain);
		}
	}

	/** Takes in no more, or goes on; holds across a stop and a start. */
	void pause(boolean pause) {
		this.paused.set(pause);
	}

	ProjectorStatus status() {
		Ownership owned = this.ownership;
		RunningProjector current = (owned != null) ? owned.running() : this.competing;
		if (current != null) {
			return current.status((owned != null) ? owned.failure() : null);
		}
		return (owned != null) ? idle(owned.state())
				: idle(new CurrentState.Entry(ProjectorState.STOPPED, "stopped", Instant.EPOCH));
	}

	/** Where it stands still, or null; asks nobody. */
	@Nullable Stall stall() {
		Ownership owned = this.ownership;
		RunningProjector shared = this.competing;
		if (owned != null) {
			return owned.stall();
		}
		return (shared != null) ? shared.stall() : null;
	}

	private ProjectorStatus idle(CurrentState.Entry state) {
		return new ProjectorStatus(name(), state.state(), state.detail(), state.since(), 0, 0, 0,
				this.counters.snapshot());
	}

}
