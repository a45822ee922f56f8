package dev.eventing.sdk.nats;

import dev.eventing.sdk.EventingException;

/** A durable consumer does not answer or was deleted: it has to be reconciled anew. */
public class DurableGoneException extends EventingException {

	private static final long serialVersionUID = 1L;

	public DurableGoneException(String message) {
		super(message);
	}

}
