package dev.eventing.sdk.annotation;

import dev.eventing.sdk.EventingException;

/** One thing that is wrong with one handler; {@link Problems} adds where it is. */
class InvalidHandlerException extends EventingException {

	private static final long serialVersionUID = 1L;

	InvalidHandlerException(String problem, String remedy) {
		super(problem + ". Consider " + remedy + ".");
	}

}
