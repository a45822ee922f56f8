package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * A projector that one node owns: how it runs there, and what is requested of its read
 * model.
 */
interface OwnedProjector {

	/**
	 * Creates the projector as it must run now.
	 * @param onFilled called when it has filled a read model, and must start again
	 * @throws OwnershipLostException if this node does not own it
	 * @throws DataAccessException if the database does not answer
	 */
	RunningProjector next(ProjectorLease lease, Runnable onFilled);

	/** Whether it is a failure if no node feeds it. */
	boolean mustBeFed();

	/** Whether something is requested. Sends no request. */
	boolean isRequested();

	/**
	 * Whether what is requested is refused in any state of the projector. Sends no
	 * request.
	 */
	boolean isRefused();

	/**
	 * Whether what is requested waits for rights of the application's role, and so cannot
	 * be done in any state of the projector now. Records in the request that it waits.
	 * @throws OwnershipLostException if this node does not own it
	 * @throws DataAccessException if the database does not answer
	 */
	boolean waitsForRights(ProjectorLease lease);

	/**
	 * Does what is requested, while nothing of the projector runs.
	 * @param settledTo the place up to which all events are settled, and no later one is;
	 * null if that is not so or not known: then the request is refused or waits, and the
	 * projector may run
	 * @param stops whether this node stops the projector, and a wait must end
	 * @return whether no request waits any more
	 * @throws OwnershipLostException if this node does not own it
	 * @throws DataAccessException if the database does not answer
	 */
	boolean serve(ProjectorLease lease, @Nullable Long settledTo, BooleanSupplier stops);

	/**
	 * The time since what is served last made progress: zero while a check runs within
	 * its own time limit, null if no progress is known. For any thread.
	 */
	default @Nullable Duration sinceCheck() {
		return null;
	}

}
