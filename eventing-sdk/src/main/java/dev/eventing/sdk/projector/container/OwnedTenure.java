package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorStatus;
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
 * Runs a generation of a projector while this node holds its lease, and stands by while
 * another node holds it. Serves what operators request of the read model.
 */
final class OwnedTenure implements Tenure {

	private static final Logger logger = LoggerFactory.getLogger(OwnedTenure.class);

	/** How long a restart waits for the events that lanes hold. */
	private static final Duration DRAIN = Duration.ofSeconds(10);

	private final ProjectorEndpoint endpoint;

	private final OwnedProjector owned;

	private final ProjectorRuns runs;

	private final Candidate candidate;

	private final Semaphore wake = new Semaphore(0);

	private final SupervisedWorker worker;

	private volatile @Nullable RunningProjector running;

	/** Whether it creates a run or serves a request. Both may call the application. */
	private volatile boolean preparing;

	/** For the thread of the worker. */
	private final OwnerRequests requests;

	private boolean stopping;

	/** Set before the worker starts. */
	private boolean started;

	/**
	 * Sends no query yet.
	 * @param endpoint the newest version, under the name of the generation
	 * @param owned how it runs on this node
	 */
	OwnedTenure(ProjectorEndpoint endpoint, OwnedProjector owned, ProjectorRuns runs) {
		this.endpoint = endpoint;
		this.owned = owned;
		this.runs = runs;
		this.requests = new OwnerRequests(endpoint.id(), owned, this::isStopping, this.wake);
		this.candidate = new Candidate(endpoint.id(), runs.services().leases());
		// This thread keeps the process alive while the node stands by.
		this.worker = SupervisedWorker.of(endpoint.id().thread("owner"), this::run);
	}

	/** The newest version, under the name of the generation. */
	ProjectorEndpoint endpoint() {
		return this.endpoint;
	}

	/**
	 * Requests the lease once, and runs the projector if this node gets it. After that, a
	 * background thread runs the projector, or requests the lease. Whatever is thrown,
	 * the lease is released.
	 */
	@Override
	public boolean start() throws InterruptedException {
		RunningProjector next = takeOver();
		if (next != null) {
			boolean prepared = false;
			try {
				next.prepare();
				prepared = true;
			}
			finally {
				if (!prepared) { // another node may run the projector
					next.lease().release();
				}
			}
			begin(next);
		}
		this.started = true;
		this.worker.start();
		return next != null;
	}

	@Override
	public void look() {
		this.wake.release();
	}

	@Override
	public ProjectorStatus status() {
		RunningProjector current = this.running;
		return (current != null) ? current.status(this.worker.failure())
				: this.runs.idle(this.endpoint.name(), idleState());
	}

	private CurrentState.Entry idleState() {
		WorkerFailure failure = this.worker.failure();
		Stall stall = stall();
		return (stall != null) ? CurrentState.Entry.stalled(stall)
				: (failure != null) ? CurrentState.Entry.restarting(failure) : this.candidate.state();
	}

	@Override
	public Behind behind() {
		return this.runs.behind(this.running);
	}

	@Override
	public @Nullable Stall stall() {
		RunningProjector current = this.running;
		Stall ofTheProjector = (current != null) ? current.stall() : null;
		if (current != null || !this.preparing) {
			return (ofTheProjector != null) ? ofTheProjector : ofTheOwner();
		}
		Duration sinceBeat = this.worker.sinceBeat();
		Duration sinceCheck = this.owned.sinceCheck();
		Duration lasts = (sinceCheck != null && sinceCheck.compareTo(sinceBeat) < 0) ? sinceCheck : sinceBeat;
		return (lasts.compareTo(this.endpoint.setting(ProjectorSettings::stalledAfter)) > 0) ? new Stall(
				this.worker.name(), "a rebuild of the read model does not begin", lasts, this.worker.stack()) : null;
	}

	/** The owner's thread may be silent for longer while it stops the projector. */
	private @Nullable Stall ofTheOwner() {
		Duration longest = this.endpoint.setting(ProjectorSettings::stalledAfter).plus(DRAIN.multipliedBy(3));
		return this.worker.stalls(longest).stream().findFirst().orElse(null);
	}

	@Override
	public void stop(Duration drain) throws InterruptedException {
		synchronized (this) {
			this.stopping = true;
		}
		this.worker.requestStop();
		this.wake.release();
		this.worker.join(drain);
		RunningProjector current = this.running;
		if (current != null) {
			try {
				current.stop(drain);
			}
			finally {
				current.lease().release();
			}
		}
	}

	private void run() throws InterruptedException {
		while (!isStopping()) {
			RunningProjector current = this.running;
			if (current == null) {
				// Not prepared first: errors appear in its state while it runs.
				begin(this.candidate.mayRequest() ? takeOver() : null);
			}
			else if (current.lease().isOver()) {
				end(current);
			}
			else if (current.isFilled()) {
				restart(current, false);
			}
			else if (this.requests.isDue(current) && !this.requests.waitsForRights(current)) {
				serve(current);
			}
			else if (current.newer() != null) {
				end(current);
			}
			this.worker.beat();
			if (this.worker
				.rest(() -> this.wake.tryAcquire(this.candidate.retryAfter().toMillis(), TimeUnit.MILLISECONDS))) {
				this.wake.drainPermits();
			}
		}
	}

	private synchronized boolean isStopping() {
		return this.stopping;
	}

	/**
	 * Requests the lease once. Returns the projector as it must run now; null if this
	 * node cannot run it.
	 */
	private @Nullable RunningProjector takeOver() {
		ProjectorLease lease = this.candidate.request();
		if (lease == null) {
			return null;
		}
		lease.onEnd(this.wake::release);
		RunningProjector next = next(lease);
		if (next != null) {
			this.requests.owns();
		}
		return next;
	}

	/** Releases the lease if this node cannot run the projector. */
	private @Nullable RunningProjector next(ProjectorLease lease) {
		RunningProjector next = null;
		try {
			next = create(lease);
		}
		finally {
			if (next == null) {
				lease.release();
			}
		}
		return next;
	}

	/**
	 * Creates the projector as it must run now. Returns null if the database does not
	 * answer or gives no generation to this node.
	 */
	private @Nullable RunningProjector create(ProjectorLease lease) {
		try {
			return preparing(() -> this.owned.next(lease, this::look));
		}
		catch (IllegalTransactionStateException ex) {
			if (!this.started) {
				throw ex; // a wrong configuration: the application does not start
			}
			this.candidate.waits(ex);
		}
		catch (DataAccessException | TransactionException ex) {
			this.candidate.waits(ex);
		}
		catch (OwnershipLostException ex) {
			logger.debug("Projector '{}' was taken over at once.", this.endpoint.id(), ex);
		}
		catch (NotFedException ex) {
			this.candidate.cannotFeed(ex, this.owned.mustBeFed());
		}
		catch (UnfinishedRebuildException ex) {
			this.candidate.cannotStart(ex);
		}
		return null;
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

	/** Serves what is requested, if the projector comes to rest for it. */
	private void serve(RunningProjector current) throws InterruptedException {
		if (this.requests.bringsToRest(current)) {
			restart(current, true);
		}
		else {
			this.requests.putOff(current);
		}
	}

	/**
	 * Stops the projector, does what is requested, and starts it again, all under the
	 * same lease.
	 */
	private void restart(RunningProjector current, boolean requested) throws InterruptedException {
		this.candidate.restarts();
		this.running = null;
		boolean stopped = false;
		try {
			Long settledTo = current.stop(DRAIN);
			if (requested && !isStopping()) {
				preparing(() -> this.requests.serve(current.lease(), settledTo));
			}
			stopped = true;
		}
		catch (DataAccessException | TransactionException ex) {
			this.candidate.waits(ex);
		}
		catch (OwnershipLostException ex) {
			logger.debug("Projector '{}' was taken over while it stopped.", this.endpoint.id(), ex);
		}
		finally {
			if (!stopped) {
				current.lease().release();
			}
		}
		begin(stopped ? next(current.lease()) : null);
	}

	/** Starts it, unless this node cannot run it or stops. */
	private synchronized void begin(@Nullable RunningProjector next) throws InterruptedException {
		if (next == null) {
			return;
		}
		if (this.stopping) {
			next.lease().release();
			return;
		}
		boolean begun = false;
		try {
			next.start();
			begun = true;
		}
		finally {
			if (!begun) {
				next.lease().release();
			}
		}
		this.candidate.runs();
		this.running = next;
	}

	/** Ends it on this node: the lease is lost, or left to a node with newer code. */
	private void end(RunningProjector current) throws InterruptedException {
		this.candidate.ends(current.lease().isOver() ? null : current.newer());
		this.running = null;
		try {
			current.end(DRAIN);
		}
		finally {
			current.lease().release();
		}
	}

}
