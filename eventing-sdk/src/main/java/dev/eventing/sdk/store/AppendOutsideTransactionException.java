package dev.eventing.sdk.store;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Quoted;

/**
 * Events were appended outside a transaction that commits them together with the caller's
 * other changes.
 */
public class AppendOutsideTransactionException extends EventingException {

	private static final long serialVersionUID = 1L;

	AppendOutsideTransactionException(String streamId, String why) {
		super("Events are appended to stream " + Quoted.of(streamId) + " outside a transaction: " + why
				+ ". Consider @Transactional on the calling method, with a transaction manager for the DataSource "
				+ "that holds the SDK's tables.");
	}

}
