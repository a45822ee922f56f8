package dev.eventing.sdk.projector.failure;

import dev.eventing.sdk.EventingException;

/**
 * The projector is another node's now. What was under way was rolled back and says
 * nothing about an event.
 */
public final class OwnershipLostException extends EventingException {

	private static final long serialVersionUID = 1L;

	public OwnershipLostException(String projector, RuntimeException cause) {
		super("Projector '" + projector + "' is not this node's any more: " + cause.getMessage());
		initCause(cause);
	}

}
