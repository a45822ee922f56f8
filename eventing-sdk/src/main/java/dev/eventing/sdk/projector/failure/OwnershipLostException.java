package dev.eventing.sdk.projector.failure;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.ProjectorId;

/**
 * This node does not own the projector any more. The current transaction was rolled back.
 * This counts no attempt of an event.
 */
public final class OwnershipLostException extends EventingException {

	private static final long serialVersionUID = 1L;

	public OwnershipLostException(ProjectorId projector, RuntimeException cause) {
		super("Projector '" + projector + "' no longer belongs to this node: " + cause.getMessage());
		initCause(cause);
	}

}
