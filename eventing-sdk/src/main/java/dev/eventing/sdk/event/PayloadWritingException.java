package dev.eventing.sdk.event;

import dev.eventing.sdk.EventingException;

/**
 * A payload, or the state of a snapshot, cannot be written as JSON, or PostgreSQL cannot
 * store it as {@code jsonb}. Nothing was sent to the database. Has no cause, which might
 * quote the payload.
 */
public class PayloadWritingException extends EventingException {

	private static final long serialVersionUID = 1L;

	public PayloadWritingException(String message) {
		super(message);
	}

	PayloadWritingException(Class<?> type, String problem) {
		super("A payload of type '" + type.getTypeName() + "' cannot be written as JSON: " + problem
				+ ". Consider a record of values that Jackson can write.");
	}

}
