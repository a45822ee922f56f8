package dev.eventing.sdk;

import org.jspecify.annotations.Nullable;

/**
 * Nothing continues until an operator or a developer changes something: a setting, a
 * declaration, a stream, a right or rows of the database. To try again does not help. The
 * message has what to change. Parts of the SDK that run continue by themselves
 * afterwards; an application that did not start must be started again.
 */
public class OperatorMustActException extends EventingException {

	private static final long serialVersionUID = 1L;

	public OperatorMustActException(String message) {
		super(message);
	}

	public OperatorMustActException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
