package dev.eventing.sdk.relay;

import dev.eventing.sdk.EventingException;

/** The published events show that the event store was restored to an earlier state. */
class RestoredDatabaseException extends EventingException {

	private static final long serialVersionUID = 1L;

	RestoredDatabaseException(String message) {
		super(message);
	}

}
