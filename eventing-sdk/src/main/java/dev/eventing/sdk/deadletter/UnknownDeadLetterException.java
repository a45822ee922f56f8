package dev.eventing.sdk.deadletter;

import java.util.UUID;

import dev.eventing.sdk.EventingException;

/** The letter does not exist, or belongs to another tenant. Callers cannot tell which. */
public class UnknownDeadLetterException extends EventingException {

	private static final long serialVersionUID = 1L;

	public UnknownDeadLetterException(UUID letterId) {
		super("There is no dead letter '" + letterId + "' in the caller's scope. Consider listing the letters.");
	}

}
