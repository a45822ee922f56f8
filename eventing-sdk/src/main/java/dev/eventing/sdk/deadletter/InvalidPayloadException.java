package dev.eventing.sdk.deadletter;

import java.util.UUID;

import dev.eventing.sdk.EventingException;

/** The payload of an event that is JSON was to be replaced by one that is not. */
public class InvalidPayloadException extends EventingException {

	private static final long serialVersionUID = 1L;

	InvalidPayloadException(UUID letterId, String flaw) {
		super("The new payload of dead letter '" + letterId + "' is no JSON, and that of its event is meant to be: "
				+ flaw + ". Consider mending it there.");
	}

}
