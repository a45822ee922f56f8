package dev.eventing.sdk.annotation;

import dev.eventing.sdk.EventingException;

/** One problem of one handler. {@link Problems} adds the handler to the message. */
class InvalidHandlerException extends EventingException {

	private static final long serialVersionUID = 1L;

	InvalidHandlerException(String problem, String remedy) {
		super(problem + ". Consider " + remedy + ".");
	}

}
