package dev.eventing.sdk.event;

import dev.eventing.sdk.EventingException;

/** A payload cannot be written as JSON. Holds no cause that might quote the payload. */
public class PayloadWritingException extends EventingException {

	private static final long serialVersionUID = 1L;

	PayloadWritingException(Class<?> type, String problem) {
		super("A payload of type '" + type.getTypeName() + "' cannot be written as JSON: " + problem
				+ ". Consider a record of values that Jackson can write.");
	}

}
