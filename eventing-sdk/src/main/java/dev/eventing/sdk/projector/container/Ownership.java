package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.lease.KeptLease;
import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.LeaseHolder;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.CurrentState;
import dev.eventing.sdk.projector.rebuild.NotFedException;
import dev.eventing.sdk.projector.rebuild.UnfinishedRebuildException;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionException;

/**
 * Runs a projector while this node holds its lease. Stands by while another node holds
 * it. Calls of {@link #start} and {@link #stop} must not overlap; the other methods are
 * for any thread.
 */
final class Ownership {

	private static final Logger logger = LoggerFactory.getLogger(Ownership.class);

	/** How long a request or a restart waits for the events that lanes hold. */
	private static final Duration DRAIN = Duration.ofSeconds(10);

	private static final Duration LOOK_FOR_REST = Duration.ofMillis(50);

	/** A request that cannot be served now is served again after this time. */
	private static final Duration NOT_YET = Duration.ofSeconds(10);

	/**
	 * An owner that has just begun may not have met yet what the former one handed out.
	 */
	private static final Duration SOON = Duration.ofSeconds(1);

	/** Until then the last look may show a request that was served. */
	private static final Duration SERVED = Duration.ofSeconds(2);

	private final ProjectorId projector;

	/** Its lease is released through the {@link ProjectorLease} made of it. */
	private final KeptLease lease;

	private final OwnedProjector owned;

	private final CurrentState state;

	private final Semaphore wake = new Semaphore(0);

	private final SupervisedWorker worker;

	/** How long the worker may prepare the next reign without being stalled. */
	private final Duration stalledAfter;

	private volatile @Nullable Reign reign;

	/**
	 * Whether the worker runs what may call the application: a rebuild may begin, and
	 * empty the read model.
	 */
	private volatile boolean preparing;

	/**
	 * When the next request may be served, by {@link System#nanoTime}. For the thread of
	 * the worker.
	 */
	private long nextRequestAt = System.nanoTime();

	/** By {@link System#nanoTime}. For the thread of the worker. */
	private long ownsSince = System.nanoTime();

	/** For the thread of the worker. */
	private final FedElsewhere elsewhere = new FedElsewhere();

	private boolean stopping;

	/** Set before the worker starts. */
	private boolean started;

	Ownership(ProjectorId projector, Leases leases, OwnedProjector owned, Duration stalledAfter) {
		this.projector = projector;
		this.lease = new KeptLease(leases, projector.lease());
		this.owned = owned;
		this.stalledAfter = stalledAfter;
		this.state = new CurrentState(projector);
		// This thread keeps the process alive while the node stands by.
		this.worker = SupervisedWorker.of(projector.thread("owner"), this::run);
	}

	/**
	 * Requests the lease once, and runs the projector if this node gets it. After that, a
	 * background thread runs or requests it.
	 * @return whether this node owns the projector now
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if this node got the
	 * lease and the operator must change something; the lease is released
	 */
	boolean start() throws InterruptedException {
		ProjectorLease projectorLease = tryToOwn();
		RunningProjector next = (projectorLease != null) ? next(projectorLease) : null;
		if (projectorLease != null && next != null) {
			try {
				next.prepare();
			}
			catch (Throwable ex) { // another node may run the projector
				projectorLease.release();
				throw ex;
			}
			begin(projectorLease, next);
		}
		this.started = true;
		this.worker.start();
		return next != null;
	}

	/** Looks soon whether something is requested or done. For any thread. */
	void look() {
		this.wake.release();
	}

	/** The running projector, or null while this node stands by. */
	@Nullable RunningProjector running() {
		Reign current = this.reign;
		return (current != null) ? current.running() : null;
	}

	/** The state of this node while it does not run the projector. */
	CurrentState.Entry state() {
		WorkerFailure failure = failure();
		Stall stall = stall();
		if (failure != null) {
			return CurrentState.Entry.restarting(failure);
		}
		return (stall != null)
				? new CurrentState.Entry(ProjectorState.STALLED, stall.describe(), Instant.now().minus(stall.lasts()))
				: this.state.get();
	}

	/** The failure of the thread that requests and watches the lease, or null. */
	@Nullable WorkerFailure failure() {
		return this.worker.failure();
	}

	/** The projector's stall, or null. Sends no request. */
	@Nullable Stall stall() {
		Reign current = this.reign;
		if (current != null) {
			return current.running().stall();
		}
		Duration sinceBeat = this.worker.sinceBeat();
		Duration sinceCheck = this.owned.sinceCheck();
		Duration lasts = (sinceCheck != null && sinceCheck.compareTo(sinceBeat) < 0) ? sinceCheck : sinceBeat;
		return (this.preparing && lasts.compareTo(this.stalledAfter) > 0) ? new Stall(this.worker.name(),
				"a rebuild of the read model does not begin", lasts, this.worker.stack()) : null;
	}

	/**
	 * Stops the projector if it runs here, and releases the lease.
	 * @param drain how long to wait for events that lanes hold
	 */
	void stop(Duration drain) throws InterruptedException {
		synchronized (this) {
			this.stopping = true;
		}
		this.worker.requestStop();
		this.wake.release();
		this.worker.join(drain);
		Reign current = this.reign;
		if (current != null) {
			try {
				current.running().stop(drain);
			}
			finally {
				current.projectorLease().release();
			}
		}
	}

	private void run() throws InterruptedException {
		while (!isStopping()) {
			Reign current = this.reign;
			if (current != null && current.projectorLease().isOver()) {
				end(current);
			}
			else if (current == null && this.elsewhere.mayTake()) {
				takeOver();
			}
			else if (current != null && current.running().isFilled()) {
				restart(current, false);
			}
			else if (current != null && isRequestDue()) {
				serve(current);
			}
			this.worker.beat();
			if (this.wake.tryAcquire(this.lease.retryAfter().toMillis(), TimeUnit.MILLISECONDS)) {
				this.wake.drainPermits();
			}
		}
	}

	/** Whether a stop was requested. For any thread. */
	synchronized boolean isStopping() {
		return this.stopping;
	}

	/** Does not prepare the projector first: errors appear in its state while it runs. */
	private void takeOver() throws InterruptedException {
		ProjectorLease projectorLease = tryToOwn();
		RunningProjector next = (projectorLease != null) ? next(projectorLease) : null;
		if (projectorLease != null && next != null) {
			this.ownsSince = System.nanoTime();
			begin(projectorLease, next);
		}
	}

	/**
	 * Creates the projector as it must run now. Returns null, and releases the lease, if
	 * the database does not answer or gives no generation to this node.
	 */
	private @Nullable RunningProjector next(ProjectorLease projectorLease) {
		RunningProjector next = null;
		try {
			next = preparing(() -> this.owned.next(projectorLease));
		}
		catch (IllegalTransactionStateException ex) {
			if (!this.started) {
				throw ex; // a wrong configuration: the application does not start
			}
			this.state.away(ex);
		}
		catch (DataAccessException | TransactionException ex) {
			this.state.away(ex);
		}
		catch (OwnershipLostException ex) {
			logger.debug("Projector '{}' was taken over at once.", this.projector, ex);
		}
		catch (NotFedException ex) {
			notFed(String.valueOf(ex.getMessage()));
		}
		catch (UnfinishedRebuildException ex) {
			if (this.state.is(ProjectorState.FAILED, String.valueOf(ex.getMessage()))) {
				logger.error("Projector '{}' cannot start: {}", this.projector, ex.getMessage());
			}
		}
		finally {
			if (next == null) {
				projectorLease.release();
			}
		}
		return next;
	}

	/**
	 * This node does not have what feeds the generation. Leaves the lease to nodes that
	 * do. If there are none, an operator must start one.
	 */
	private void notFed(String why) {
		if (!this.elsewhere.isMissed()) {
			this.state.is(ProjectorState.STANDBY, why);
		}
		else if (this.owned.mustBeFed() && this.state.is(ProjectorState.FAILED, why + " No node feeds it.")) {
			logger.error("Projector '{}' is not fed by any node. {}", this.projector, why);
		}
	}

	private <T> T preparing(Supplier<T> action) {
		this.worker.beat();
		this.preparing = true;
		try {
			return action.get();
		}
		finally {
			this.preparing = false;
		}
	}

	private boolean isFilling() {
		RunningProjector current = running();
		return current != null && current.isFilling();
	}

	private boolean isRequestDue() {
		return this.owned.isRequested() && !isFilling() && System.nanoTime() - this.nextRequestAt >= 0;
	}

	/**
	 * Stops the projector for what is requested, if it comes to rest in time. Otherwise
	 * lets it go on, and no handler is interrupted.
	 */
	private void serve(Reign current) throws InterruptedException {
		boolean atRest = false;
		if (!this.owned.isRefused()) {
			current.running().hold();
			try {
				atRest = comesToRest(current);
			}
			finally {
				if (!atRest) {
					current.running().release();
				}
			}
		}
		serveAgainLater();
		if (atRest) {
			restart(current, true);
		}
		else if (isStillMine(current)) {
			putOff(current.projectorLease());
		}
		else {
			look(); // at what has ended the wait
		}
	}

	private void serveAgainLater() {
		long now = System.nanoTime();
		this.nextRequestAt = now + ((now - this.ownsSince < NOT_YET.toNanos()) ? SOON : NOT_YET).toNanos();
	}

	private boolean comesToRest(Reign current) throws InterruptedException {
		long end = System.nanoTime() + DRAIN.toNanos();
		while (!current.running().isAtRest()) {
			if (System.nanoTime() - end > 0 || !isStillMine(current)) {
				return false;
			}
			this.wake.tryAcquire(LOOK_FOR_REST.toMillis(), TimeUnit.MILLISECONDS);
		}
		return current.running().settledTo() != null && isStillMine(current);
	}

	private boolean isStillMine(Reign current) {
		return !isStopping() && !current.projectorLease().isOver();
	}

	/** Refuses what is requested, or records that it waits, while the projector runs. */
	private void putOff(ProjectorLease projectorLease) {
		try {
			if (this.owned.serve(projectorLease, null)) {
				this.nextRequestAt = System.nanoTime() + SERVED.toNanos();
			}
		}
		catch (DataAccessException | TransactionException | OwnershipLostException ex) {
			logger.debug("A request for projector '{}' cannot be answered now.", this.projector, ex);
		}
	}

	/**
	 * Stops the projector, does what is requested, and starts it again, all under the
	 * same lease.
	 */
	private void restart(Reign current, boolean requested) throws InterruptedException {
		ProjectorLease projectorLease = current.projectorLease();
		this.state.is(ProjectorState.STARTING, "what an operator requested of its read model begins or ends");
		this.reign = null;
		boolean stopped = false;
		try {
			Long settledTo = current.running().stop(DRAIN);
			if (requested && !isStopping()) {
				if (preparing(() -> this.owned.serve(projectorLease, settledTo))) {
					this.nextRequestAt = System.nanoTime() + SERVED.toNanos();
				}
				else {
					serveAgainLater(); // from now on: it may have taken long
				}
			}
			stopped = true;
		}
		catch (DataAccessException | TransactionException ex) {
			this.state.away(ex);
		}
		catch (OwnershipLostException ex) {
			logger.debug("Projector '{}' was taken over while it stopped.", this.projector, ex);
		}
		finally {
			if (!stopped) {
				projectorLease.release();
			}
		}
		RunningProjector next = stopped ? next(projectorLease) : null;
		if (next != null) {
			begin(projectorLease, next);
		}
	}

	private synchronized void begin(ProjectorLease projectorLease, RunningProjector next) throws InterruptedException {
		if (this.stopping) {
			projectorLease.release();
			return;
		}
		boolean started = false;
		try {
			next.start();
			started = true;
		}
		finally {
			if (!started) {
				next.abandon(); // e.g. threads are exhausted: some may run
				projectorLease.release();
			}
		}
		this.elsewhere.isFed();
		this.reign = new Reign(projectorLease, next);
	}

	private void end(Reign current) throws InterruptedException {
		logger.warn("Projector '{}' does not belong to this node any more. The node stands by.", this.projector);
		this.state.is(ProjectorState.STANDBY, "the lease was lost");
		this.reign = null;
		try {
			current.running().abandon();
		}
		finally {
			current.projectorLease().release();
		}
	}

	private @Nullable ProjectorLease tryToOwn() {
		try {
			Lease taken = this.lease.take();
			if (taken != null) {
				ProjectorLease projectorLease = ProjectorLease.of(taken);
				projectorLease.onEnd(this.wake::release);
				return projectorLease;
			}
			standBy(this.lease.holder());
		}
		catch (DataAccessException | TransactionException ex) {
			this.state.away(ex);
		}
		return null;
	}

	private void standBy(Optional<LeaseHolder> holder) {
		if (this.elsewhere.isDoubtful(holder)) {
			return;
		}
		String owner = holder.map(Ownership::describe).orElse("no node owns it yet");
		if (this.state.is(ProjectorState.STANDBY, owner)) {
			logger.info("Projector '{}' stands by: {}.", this.projector, owner);
		}
	}

	private static String describe(LeaseHolder holder) {
		return "node '" + holder.owner() + "' owns it since " + holder.acquiredAt();
	}

	/**
	 * The projector while this node owns it.
	 *
	 * @param projectorLease the right to run it
	 * @param running the running projector
	 */
	private record Reign(ProjectorLease projectorLease, RunningProjector running) {
	}

}
