package dev.eventing.sdk.deadletter;

import java.util.UUID;

import dev.eventing.sdk.EventingException;

/** The letter is already resolved or discarded. */
public class DeadLetterClosedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public DeadLetterClosedException(UUID letterId, DeadLetterStatus status) {
		super("Dead letter '" + letterId + "' is " + status + " already, so it cannot be changed. "
				+ "Consider looking at its audit trail.");
	}

}
