package dev.eventing.sdk.event;

import dev.eventing.sdk.EventingException;

/** An event, one of its attributes or one of its headers is not valid. */
public class InvalidEventException extends EventingException {

	private static final long serialVersionUID = 1L;

	public InvalidEventException(String message) {
		super(message);
	}

}
