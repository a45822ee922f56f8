package dev.eventing.sdk.operator;

import dev.eventing.sdk.EventingException;

/** A request is invalid or ambiguous. */
public class InvalidRequestException extends EventingException {

	private static final long serialVersionUID = 1L;

	public InvalidRequestException(String message) {
		super(message);
	}

}
