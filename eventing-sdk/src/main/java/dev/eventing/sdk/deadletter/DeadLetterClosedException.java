package dev.eventing.sdk.deadletter;

import java.util.UUID;

import dev.eventing.sdk.EventingException;

/** The letter was resolved or discarded before. */
public class DeadLetterClosedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public DeadLetterClosedException(UUID letterId, DeadLetterStatus status) {
		super("Dead letter '" + letterId + "' is " + status + " already, so nothing can be done to it any more. "
				+ "Consider looking at its audit trail.");
	}

}
