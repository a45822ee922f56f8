package dev.eventing.sdk.idempotency;

import dev.eventing.sdk.OperatorMustActException;

/**
 * A projector would receive events that it may have applied before. Their rows in
 * {@code processed_events} may be pruned, or appends have applied them without rows. So
 * it cannot know.
 */
public class PrunedHistoryException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	public PrunedHistoryException(String message) {
		super(message);
	}

}
