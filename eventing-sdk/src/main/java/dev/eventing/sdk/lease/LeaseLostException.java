package dev.eventing.sdk.lease;

import dev.eventing.sdk.EventingException;

/**
 * What this node owned belongs to another one now. Says nothing about what was being
 * done: the new owner does it again.
 */
public class LeaseLostException extends EventingException {

	private static final long serialVersionUID = 1L;

	public LeaseLostException(String message) {
		super(message);
	}

}
