package dev.eventing.sdk;

import org.jspecify.annotations.Nullable;

/**
 * Root of all exceptions that the SDK throws on purpose. A message describes what is
 * wrong, with names and values quoted, and then what to change. It never contains a
 * payload or a secret.
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
