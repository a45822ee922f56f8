package dev.eventing.sdk.nats;

import dev.eventing.sdk.UnavailableException;

/** A durable consumer does not answer or was deleted. It must be reconciled again. */
public class DurableGoneException extends UnavailableException {

	private static final long serialVersionUID = 1L;

	public DurableGoneException(String message) {
		super(message);
	}

}
