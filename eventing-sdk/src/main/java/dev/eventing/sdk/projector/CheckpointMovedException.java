package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;

/**
 * The checkpoint of a projector that reads the event store is not where its owner left
 * it. Either it was changed by hand, or the database was restored to an earlier state.
 * The transaction rolls back, and the projector restarts from the stored checkpoint.
 */
public final class CheckpointMovedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public CheckpointMovedException(String projector, long known, long wanted) {
		super("Projector '" + projector + "' cannot move its checkpoint from position " + known + " to " + wanted
				+ ": the database no longer has position " + known + ", or has lost the position in 'handed_out'. "
				+ "Either the database was restored to an earlier state, or the row in projector_checkpoints or "
				+ "projector_handouts was changed by hand.");
	}

}
