package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ledger.NodeReport;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.attempt.ProjectorThreads;
import dev.eventing.sdk.projector.control.PauseSwitch;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.feed.CurrentState;
import dev.eventing.sdk.projector.rebuild.Adoption;
import dev.eventing.sdk.projector.rebuild.DefinitionNews;
import dev.eventing.sdk.projector.rebuild.LiveHold;
import dev.eventing.sdk.projector.rebuild.LiveVersion;
import dev.eventing.sdk.projector.rebuild.Rebuilder;
import dev.eventing.sdk.projector.redrive.RedrivePoll;
import dev.eventing.sdk.projector.source.EventSources;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.worker.Stall;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * One projector, in one or several versions, which can be started and stopped repeatedly.
 * Thread-safe.
 */
final class ProjectorContainer {

	private static final Logger logger = LoggerFactory.getLogger(ProjectorContainer.class);

	/**
	 * How long a stop waits for a start that it interrupted. A driver may ignore the
	 * interrupt while it reads.
	 */
	private static final Duration START_ENDS_WITHIN = Duration.ofSeconds(2);

	private final ProjectorId id;

	/** At least one when it starts. */
	private final NavigableMap<Integer, ProjectorEndpoint> versions = new ConcurrentSkipListMap<>();

	private final ProjectorServices services;

	private final ProjectorThreads threads;

	private final RedrivePoll redrivePoll;

	private final ProjectorCounters counters = new ProjectorCounters();

	/**
	 * Held during a start or a stop, which can take seconds. Reading the status does not
	 * wait for it.
	 */
	private final ReentrantLock lifecycle = new ReentrantLock();

	private final StartUnderWay starting = new StartUnderWay();

	/** Set from start to stop if one node owns the projector. */
	private volatile @Nullable Ownership ownership;

	/** Set from start to stop if nodes compete for events. */
	private volatile @Nullable RunningProjector competing;

	private final PauseSwitch pause;

	private final DefinitionNews news;

	/** Has no version yet. */
	ProjectorContainer(ProjectorId id, ProjectorServices services, ProjectorThreads threads, RedrivePoll redrivePoll,
			PauseSwitch pause) {
		this.id = id;
		this.services = services;
		this.threads = threads;
		this.redrivePoll = redrivePoll;
		this.pause = pause;
		this.news = new DefinitionNews(id, services);
	}

	/** Adds a version, before it starts. */
	void add(ProjectorEndpoint version) {
		if (this.versions.putIfAbsent(version.readModel().version(), version) != null) {
			throw new IllegalStateException("Projector '" + this.id + "' exists already.");
		}
	}

	/** The newest version. */
	ProjectorEndpoint endpoint() {
		return this.versions.lastEntry().getValue();
	}

	NavigableMap<Integer, ProjectorEndpoint> versions() {
		return this.versions;
	}

	ProjectorId id() {
		return this.id;
	}

	String name() {
		return this.id.base();
	}

	/**
	 * Starts the projector. If another node owns it, this node stands by. Does nothing if
	 * it is already started.
	 * @return false if a stop interrupted the start
	 * @throws JetStreamConfigurationException if the stream or the durable does not fit
	 * the projector
	 * @throws InterruptedException if the thread must stop
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
		this.pause.open();
		if (endpoint().hasOneOwner()) {
			beginOwned();
		}
		else {
			beginCompeting();
		}
	}

	private void beginOwned() throws InterruptedException {
		LiveProjector live = new LiveProjector();
		Ownership next = new Ownership(this.id, this.services.leases(), live,
				endpoint().options().flow().stalledAfter());
		live.onChange = next::look;
		live.stops = next::isStopping;
		this.pause.onRequest(next::look);
		boolean begun = false;
		try {
			if (!next.start()) {
				this.news.look(this.versions);
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

	private void beginCompeting() throws InterruptedException {
		ProjectorLease shared = ProjectorLease.shared(this.services.leases());
		Rebuilder rebuilder = new Rebuilder(endpoint(), this.services);
		this.pause.onRequest(() -> refuse(rebuilder, shared));
		requireNoFilling(rebuilder, shared);
		RunningProjector next = running(endpoint(), RunContext.live(shared, this.pause, null, () -> {
		}));
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

	/**
	 * Nodes that compete for events cannot fill a read model, and must not go on with one
	 * that is half filled.
	 */
	private void requireNoFilling(Rebuilder rebuilder, ProjectorLease shared) {
		try {
			rebuilder.filling(shared);
		}
		catch (DataAccessException ex) {
			logger.debug("Projector '{}' starts while the database does not answer.", name(), ex);
		}
	}

	/** Refuses what is requested for a projector that nodes compete for. */
	private void refuse(Rebuilder rebuilder, ProjectorLease shared) {
		try {
			rebuilder.serve(shared, null);
		}
		catch (DataAccessException | TransactionException ex) {
			logger.debug("A request for projector '{}' cannot be refused now.", name(), ex);
		}
	}

	/** Finds configuration errors of the stream also while this node stands by. */
	private void check() {
		try {
			EventSources.of(endpoint(), this.services).check();
		}
		catch (NatsUnavailableException ex) {
			logger.debug("Projector '{}' is not checked while NATS is unreachable.", name(), ex);
		}
	}

	private RunningProjector running(ProjectorEndpoint version, RunContext context) {
		ProjectorAssembly parts = new ProjectorAssembly(version, this.services, this.threads, this.redrivePoll,
				this.counters, context);
		return new RunningProjector(version, parts, this.counters, this.threads.tasks(), context.lease());
	}

	/**
	 * Stops the projector: takes no more events, runs what the lanes hold within the
	 * time, naks the rest, and releases the lease. Interrupts a start that is under way.
	 * If that start does not end in time, returns, and the start is undone when it ends.
	 */
	void stop(Duration drain) throws InterruptedException {
		if (!this.starting.interrupt()) {
			this.lifecycle.lockInterruptibly();
		}
		else if (!this.lifecycle.tryLock(START_ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
			logger.warn("Projector '{}' is still starting. It stops when the start ends.", name());
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
		this.pause.close();
		this.news.stop();
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

	/** Whether the projector is paused. */
	PauseSwitch pause() {
		return this.pause;
	}

	/** Whether it was started and not stopped since. */
	boolean isStarted() {
		return this.ownership != null || this.competing != null;
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

	/**
	 * What this node reports of the projector.
	 * @param paused asked only while the projector is paused and reads JetStream
	 */
	NodeReport report(PausedLags paused) {
		ProjectorStatus status = status();
		return new NodeReport(name(), endpoint().readModel().version(), endpoint().readModel().script() != null,
				status.state().name(), status.detail(), behind(status.state(), paused));
	}

	private Behind behind(ProjectorState state, PausedLags paused) {
		if (state == ProjectorState.PAUSED && !endpoint().readsEventStore()) {
			return paused.of(name());
		}
		RunningProjector current = current();
		return (current != null) ? current.behind(this.services.clock()) : Behind.UNKNOWN;
	}

	private @Nullable RunningProjector current() {
		Ownership owned = this.ownership;
		return (owned != null) ? owned.running() : this.competing;
	}

	/** The projector's stall, or null. Sends no request. */
	@Nullable Stall stall() {
		Ownership owned = this.ownership;
		RunningProjector shared = this.competing;
		if (owned != null) {
			return owned.stall();
		}
		return (shared != null) ? shared.stall() : null;
	}

	/** The live read model while this node owns the projector. */
	private final class LiveProjector implements OwnedProjector {

		private final LiveVersion live = new LiveVersion(ProjectorContainer.this.id, ProjectorContainer.this.services,
				ProjectorContainer.this.news);

		private final LiveHold hold = new LiveHold(endpoint(), ProjectorContainer.this.services);

		/** For the version that feeds the live generation. */
		private volatile Rebuilder rebuilder = new Rebuilder(endpoint(), ProjectorContainer.this.services);

		/** For the same version. */
		private volatile Adoption adoption = new Adoption(endpoint(), ProjectorContainer.this.services);

		/** Called when a running projector has done its work. */
		private Runnable onChange = () -> {
		};

		/** Whether this node stops the projector. */
		private BooleanSupplier stops = () -> false;

		@Override
		public RunningProjector next(ProjectorLease lease) {
			ProjectorEndpoint version = this.live.find(lease, ProjectorContainer.this.versions);
			this.rebuilder = new Rebuilder(version, ProjectorContainer.this.services);
			this.adoption = new Adoption(version, ProjectorContainer.this.services);
			return running(version, RunContext.live(lease, ProjectorContainer.this.pause, this.rebuilder.filling(lease),
					this.onChange));
		}

		@Override
		public boolean mustBeFed() {
			return true;
		}

		@Override
		public boolean isRequested() {
			return isHeld() || ProjectorContainer.this.pause.requested() == Action.REBUILD_IN_PLACE || isAdoption();
		}

		private boolean isAdoption() {
			return ProjectorContainer.this.pause.requested() == Action.ADOPT;
		}

		private boolean isHeld() {
			return ProjectorContainer.this.pause.isHeld();
		}

		@Override
		public boolean isRefused() {
			return !isHeld() && (isAdoption() ? this.adoption.isRefused() : this.rebuilder.isRefused());
		}

		@Override
		public boolean serve(ProjectorLease lease, @Nullable Long settledTo) {
			if (!isHeld()) {
				return isAdoption() ? this.adoption.serve(lease, settledTo) : this.rebuilder.serve(lease, settledTo);
			}
			if (settledTo != null) {
				this.hold.await(lease, settledTo, this.stops);
				// This node takes the lease anew, and learns the version. A database set
				// back to before the switch does not know that grant.
				lease.end();
			}
			return settledTo != null;
		}

	}

	private ProjectorStatus idle(CurrentState.Entry state) {
		return new ProjectorStatus(name(), state.state(), state.detail(), state.since(), 0, 0, 0,
				this.counters.snapshot());
	}

}
