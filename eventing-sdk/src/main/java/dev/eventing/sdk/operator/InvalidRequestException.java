package dev.eventing.sdk.operator;

import dev.eventing.sdk.EventingException;

/** What was asked for cannot be understood, or leaves open what is meant. */
public class InvalidRequestException extends EventingException {

	private static final long serialVersionUID = 1L;

	public InvalidRequestException(String message) {
		super(message);
	}

}
