package dev.eventing.sdk.store;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.event.TenantId;

/**
 * The tenant already has an event with one of the ids. The database has aborted the
 * transaction: it can only be rolled back.
 */
public class DuplicateEventIdException extends EventingException {

	private static final long serialVersionUID = 1L;

	DuplicateEventIdException(TenantId tenantId, String streamId, Throwable cause) {
		super("Tenant '" + tenantId + "' already has an event with an id of those appended to stream "
				+ Quoted.of(streamId) + ". The transaction can only be rolled back. Consider a new id, or treating the "
				+ "events as appended before.", cause);
	}

}
