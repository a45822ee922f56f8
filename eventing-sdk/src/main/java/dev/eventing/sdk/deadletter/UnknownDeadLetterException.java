package dev.eventing.sdk.deadletter;

import java.util.UUID;

import dev.eventing.sdk.EventingException;

/** There is no such letter, or it is another tenant's: callers cannot tell which. */
public class UnknownDeadLetterException extends EventingException {

	private static final long serialVersionUID = 1L;

	public UnknownDeadLetterException(UUID letterId) {
		super("There is no dead letter '" + letterId + "' within the caller's reach. Consider listing the letters.");
	}

}
