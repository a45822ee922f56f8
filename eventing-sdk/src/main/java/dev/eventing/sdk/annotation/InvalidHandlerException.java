package dev.eventing.sdk.annotation;

import java.lang.reflect.Type;

import dev.eventing.sdk.EventingException;

/** One problem of one handler. {@link Problems} adds the handler to the message. */
class InvalidHandlerException extends EventingException {

	private static final long serialVersionUID = 1L;

	InvalidHandlerException(String problem, String remedy) {
		super(problem + ". Consider " + remedy + ".");
	}

	/** The name of a type in a message, without packages and enclosing classes. */
	static String shortName(Type type) {
		return type.getTypeName().replaceAll("[\\w$.]*[.$](\\w)", "$1");
	}

}
