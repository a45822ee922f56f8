package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;

/**
 * The checkpoint of a projector that reads the event store is not where its owner left
 * it: somebody else has moved it, or the database was set back. What was under way is
 * rolled back, and the projector begins anew from where the checkpoint is.
 */
public final class CheckpointMovedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public CheckpointMovedException(String projector, long known, long wanted) {
		super("The checkpoint of projector '" + projector + "' was to move from position " + known + " to " + wanted
				+ ", but it is not at " + known + " any more, or the events on the way were never handed out: the "
				+ "database was set back, or its row in projector_checkpoints changed by hand.");
	}

}
