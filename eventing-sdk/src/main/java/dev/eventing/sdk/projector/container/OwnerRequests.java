package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * What operators request of a read model, on the node that owns it. Most of it needs the
 * projector to stop at a known place. For the thread of the owner.
 */
final class OwnerRequests {

	private static final Logger logger = LoggerFactory.getLogger(OwnerRequests.class);

	/** How long a request waits for the events that lanes hold. */
	private static final Duration COMES_TO_REST_WITHIN = Duration.ofSeconds(10);

	private static final Duration LOOK_FOR_REST = Duration.ofMillis(50);

	private final ProjectorId projector;

	private final OwnedProjector owned;

	/** Whether this node stops the projector. */
	private final BooleanSupplier stops;

	/** Gets a permit when something has changed. */
	private final Semaphore wake;

	private final RequestTimes times = new RequestTimes();

	OwnerRequests(ProjectorId projector, OwnedProjector owned, BooleanSupplier stops, Semaphore wake) {
		this.projector = projector;
		this.owned = owned;
		this.stops = stops;
		this.wake = wake;
	}

	/** This node has become the owner. */
	void owns() {
		this.times.owns();
	}

	/** Whether something is requested that may be tried now. */
	boolean isDue(RunningProjector current) {
		return this.owned.isRequested() && !current.isFilling() && this.times.isDue();
	}

	/**
	 * Whether what is requested waits for rights of the application's role: the projector
	 * continues meanwhile.
	 */
	boolean waitsForRights(RunningProjector current) {
		try {
			if (isOver(current) || !this.owned.waitsForRights(current.lease())) {
				return false;
			}
		}
		catch (OwnershipLostException | DataAccessException | TransactionException ex) {
			logger.debug("The rights for a request for projector '{}' cannot be looked at now.", this.projector, ex);
			return false;
		}
		this.times.later();
		return true;
	}

	/**
	 * Brings the projector to rest for what is requested, if it comes to rest in time.
	 * Otherwise it continues, and no handler is interrupted.
	 */
	boolean bringsToRest(RunningProjector current) throws InterruptedException {
		boolean atRest = false;
		if (!this.owned.isRefused()) {
			current.hold();
			try {
				atRest = comesToRest(current);
			}
			finally {
				if (!atRest) {
					current.release();
				}
			}
		}
		this.times.later();
		return atRest;
	}

	private boolean comesToRest(RunningProjector current) throws InterruptedException {
		long end = System.nanoTime() + COMES_TO_REST_WITHIN.toNanos();
		while (!current.isAtRest()) {
			if (System.nanoTime() - end > 0 || isOver(current)) {
				return false;
			}
			this.wake.tryAcquire(LOOK_FOR_REST.toMillis(), TimeUnit.MILLISECONDS);
		}
		return current.settledTo() != null && !isOver(current);
	}

	private boolean isOver(RunningProjector current) {
		return this.stops.getAsBoolean() || current.lease().isOver();
	}

	/** Refuses what is requested, or records that it waits, while the projector runs. */
	void putOff(RunningProjector current) {
		if (isOver(current)) {
			this.wake.release(); // for a look at what has ended it
			return;
		}
		try {
			if (this.owned.serve(current.lease(), null, this.stops)) {
				this.times.served();
			}
		}
		catch (OwnershipLostException | DataAccessException | TransactionException ex) {
			logger.debug("A request for projector '{}' cannot be answered now.", this.projector, ex);
		}
	}

	/**
	 * Does what is requested, while nothing of the projector runs.
	 * @param settledTo the place up to which all events are settled, and no later one is;
	 * null if that is not so or not known
	 * @return whether no request waits any more
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	boolean serve(ProjectorLease lease, @Nullable Long settledTo) {
		boolean answered = this.owned.serve(lease, settledTo, this.stops);
		if (answered) {
			this.times.served();
		}
		else {
			this.times.later(); // from now on: it may have taken long
		}
		return answered;
	}

}
