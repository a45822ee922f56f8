package dev.eventing.sdk.lease;

import dev.eventing.sdk.EventingException;

/**
 * Another node owns the lease that this node held. The interrupted work did not fail: the
 * new owner does it again.
 */
public class LeaseLostException extends EventingException {

	private static final long serialVersionUID = 1L;

	public LeaseLostException(String message) {
		super(message);
	}

}
