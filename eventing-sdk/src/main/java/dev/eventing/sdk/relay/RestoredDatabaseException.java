package dev.eventing.sdk.relay;

import dev.eventing.sdk.OperatorMustActException;

/** The published events show that the event store was restored to an earlier state. */
class RestoredDatabaseException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	RestoredDatabaseException(String message) {
		super(message);
	}

}
