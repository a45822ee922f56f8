package dev.eventing.sdk.relay;

import dev.eventing.sdk.EventingException;

/** What was published says that the event store was set back to an earlier point. */
class RestoredDatabaseException extends EventingException {

	private static final long serialVersionUID = 1L;

	RestoredDatabaseException(String message) {
		super(message);
	}

}
