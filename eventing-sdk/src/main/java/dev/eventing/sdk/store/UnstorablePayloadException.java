package dev.eventing.sdk.store;

import java.util.UUID;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Quoted;

/**
 * PostgreSQL cannot store a payload, or the state of a snapshot, as {@code jsonb}.
 * Nothing was sent to the database. Has no cause, which might quote the payload.
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
