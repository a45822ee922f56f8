package dev.eventing.sdk;

import org.jspecify.annotations.Nullable;

/**
 * Root of all exceptions the SDK throws on purpose. Messages say what is wrong with names
 * and values quoted, then what to change; they never hold a payload or a secret.
 */
public class EventingException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public EventingException(String message) {
		super(message);
	}

	public EventingException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
