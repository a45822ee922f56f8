package dev.eventing.sdk.cli;

import dev.eventing.sdk.EventingException;

/** A usage error of the command line. */
class UsageException extends EventingException {

	private static final long serialVersionUID = 1L;

	UsageException(String message) {
		super(message);
	}

}
