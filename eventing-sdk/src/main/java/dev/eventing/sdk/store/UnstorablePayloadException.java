package dev.eventing.sdk.store;

import java.util.UUID;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Quoted;

/**
 * A payload is no JSON text that PostgreSQL can keep as {@code jsonb}. Nothing was sent
 * to the database. Holds no cause that might quote the payload.
 */
public class UnstorablePayloadException extends EventingException {

	private static final long serialVersionUID = 1L;

	UnstorablePayloadException(String type, UUID eventId, String problem) {
		super("The payload of event '" + eventId + "' of type " + Quoted.of(type) + " cannot be stored: it " + problem
				+ ".");
	}

}
