package dev.eventing.sdk.store;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.event.TenantId;

/**
 * An event of this tenant already has one of the ids. The database has ended the
 * transaction: it can only be rolled back.
 */
public class DuplicateEventIdException extends EventingException {

	private static final long serialVersionUID = 1L;

	DuplicateEventIdException(TenantId tenantId, String streamId, Throwable cause) {
		super("Tenant '" + tenantId + "' already has an event with an id of those appended to stream "
				+ Quoted.of(streamId) + ". The transaction can only be rolled back. Consider a new id, or taking it "
				+ "that what the id stands for has been done.", cause);
	}

}
