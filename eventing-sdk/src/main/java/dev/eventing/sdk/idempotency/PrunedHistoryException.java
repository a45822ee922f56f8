package dev.eventing.sdk.idempotency;

import dev.eventing.sdk.EventingException;

/**
 * Events would be given to a projector of which it has forgotten whether it applied them,
 * because their rows in {@code processed_events} may be pruned.
 */
public class PrunedHistoryException extends EventingException {

	private static final long serialVersionUID = 1L;

	public PrunedHistoryException(String message) {
		super(message);
	}

}
