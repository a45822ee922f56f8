package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;

/**
 * The checkpoint of a projector that reads the event store is not where its owner left
 * it: somebody else has moved it. What was under way is rolled back, and the projector
 * begins anew from where the checkpoint is.
 */
public final class CheckpointMovedException extends EventingException {

	private static final long serialVersionUID = 1L;

	CheckpointMovedException(String projector, long known, long wanted) {
		super("The checkpoint of projector '" + projector + "' was to move from position " + known + " to " + wanted
				+ ", but is not at " + known + " any more. Consider stopping the projector before its row in "
				+ "projector_checkpoints is changed by hand.");
	}

}
