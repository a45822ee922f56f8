package dev.eventing.sdk.store;

import java.util.UUID;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Quoted;

/**
 * A payload or the state of a snapshot is nothing that PostgreSQL can keep as
 * {@code jsonb}. Nothing was sent to the database. Holds no cause that might quote it.
 */
public class UnstorablePayloadException extends EventingException {

	private static final long serialVersionUID = 1L;

	private UnstorablePayloadException(String message) {
		super(message);
	}

	static UnstorablePayloadException ofEvent(String type, UUID eventId, String problem) {
		return new UnstorablePayloadException("The payload of event '" + eventId + "' of type " + Quoted.of(type)
				+ " cannot be stored: it " + problem + ".");
	}

	static UnstorablePayloadException ofSnapshot(String name, String problem) {
		return new UnstorablePayloadException("A snapshot of " + Quoted.of(name) + " cannot be stored: it " + problem
				+ ". Consider a fold without snapshots.");
	}

}
