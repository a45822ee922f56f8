package dev.eventing.sdk.idempotency;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.ProjectorId;

/**
 * Events were claimed outside a transaction that commits the claim together with their
 * effects.
 */
public class ClaimOutsideTransactionException extends EventingException {

	private static final long serialVersionUID = 1L;

	ClaimOutsideTransactionException(ProjectorId projector, String why) {
		super("Projector '" + projector + "' claims events outside a transaction: " + why
				+ ". Consider running the claim and the handlers in one transaction of a transaction manager for the "
				+ "DataSource that holds the SDK's tables.");
	}

}
