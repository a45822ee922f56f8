package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.LeaseHolder;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.feed.CurrentState;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Runs a projector while this node holds its lease, and stands by while another one does.
 */
final class Ownership {

	private static final Logger logger = LoggerFactory.getLogger(Ownership.class);

	/** So often within its duration a node that stands by asks for the lease. */
	private static final int TRIES_PER_DURATION = 5;

	private final String projector;

	private final String leaseName;

	private final Leases leases;

	private final Function<ProjectorLease, RunningProjector> factory;

	private final CurrentState state;

	private final Semaphore wake = new Semaphore(0);

	private final SupervisedWorker worker;

	private volatile @Nullable Reign reign;

	private boolean stopping;

	Ownership(String projector, Leases leases, Function<ProjectorLease, RunningProjector> factory) {
		this.projector = projector;
		this.leaseName = "projector/" + projector;
		this.leases = leases;
		this.factory = factory;
		this.state = new CurrentState(projector);
		// A node that only stands by is kept alive by this thread.
		this.worker = SupervisedWorker.of(projector + "-owner", this::run);
	}

	/**
	 * Tries to get the lease once, and runs the projector if it does; goes on trying in
	 * the background.
	 * @return whether this node owns it now
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if this node got it
	 * and a person must change something
	 */
	boolean start() throws InterruptedException {
		ProjectorLease projectorLease = tryToOwn();
		if (projectorLease != null) {
			RunningProjector next = this.factory.apply(projectorLease);
			try {
				next.prepare();
			}
			catch (Throwable ex) { // whatever it is, another node may have the projector
				projectorLease.release();
				throw ex;
			}
			begin(projectorLease, next);
		}
		this.worker.start();
		return projectorLease != null;
	}

	/** The projector at work, or null while this node stands by. */
	@Nullable RunningProjector running() {
		Reign current = this.reign;
		return (current != null) ? current.running() : null;
	}

	/** What this node does while it does not own the projector. */
	CurrentState.Entry state() {
		WorkerFailure failure = failure();
		return (failure != null) ? CurrentState.Entry.restarting(failure) : this.state.get();
	}

	/** Why it does not look after the projector now; null while it does. */
	@Nullable WorkerFailure failure() {
		return this.worker.failure();
	}

	/** Where this node stands still, or null; asks nobody. */
	@Nullable Stall stall() {
		Reign current = this.reign;
		return (current != null) ? current.running().stall() : null;
	}

	/** Stops the projector if it runs here, and lets another node have it. */
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
			else if (current == null) {
				takeOver();
			}
			this.worker.beat();
			if (this.wake.tryAcquire(this.leases.duration().toMillis() / TRIES_PER_DURATION, TimeUnit.MILLISECONDS)) {
				this.wake.drainPermits();
			}
		}
	}

	private synchronized boolean isStopping() {
		return this.stopping;
	}

	/** What is wrong or away is found out, and told, by the projector as it runs. */
	private void takeOver() throws InterruptedException {
		ProjectorLease projectorLease = tryToOwn();
		if (projectorLease != null) {
			boolean begun = false;
			try {
				begin(projectorLease, this.factory.apply(projectorLease));
				begun = true;
			}
			finally {
				if (!begun) {
					projectorLease.release();
				}
			}
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
				next.abandon(); // such as for want of threads: some may run
				projectorLease.release();
			}
		}
		this.reign = new Reign(projectorLease, next);
	}

	private void end(Reign current) throws InterruptedException {
		logger.warn("Projector '{}' is not this node's any more; it stands by.", this.projector);
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
			Lease lease = this.leases.tryAcquire(this.leaseName);
			if (lease != null) {
				ProjectorLease projectorLease = ProjectorLease.of(lease);
				projectorLease.onEnd(this.wake::release);
				return projectorLease;
			}
			String owner = this.leases.holder(this.leaseName).map(Ownership::describe).orElse("nobody owns it yet");
			if (this.state.is(ProjectorState.STANDBY, owner)) {
				logger.info("Projector '{}' stands by: {}.", this.projector, owner);
			}
		}
		catch (DataAccessException | TransactionException ex) {
			this.state.away(ex);
		}
		return null;
	}

	private static String describe(LeaseHolder holder) {
		return "node '" + holder.owner() + "' owns it since " + holder.acquiredAt();
	}

	/**
	 * The projector as this node owns it.
	 *
	 * @param projectorLease how long it does
	 * @param running the projector at work
	 */
	private record Reign(ProjectorLease projectorLease, RunningProjector running) {
	}

}
