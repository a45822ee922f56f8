package dev.eventing.sdk.cli;

import dev.eventing.sdk.EventingException;

/** The command cannot be meant as it was written. */
class UsageException extends EventingException {

	private static final long serialVersionUID = 1L;

	UsageException(String message) {
		super(message);
	}

}
