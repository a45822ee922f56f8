package dev.eventing.sdk.deadletter;

import java.util.UUID;

import dev.eventing.sdk.EventingException;

/** The new payload of a letter must be JSON and is not. */
public class InvalidPayloadException extends EventingException {

	private static final long serialVersionUID = 1L;

	InvalidPayloadException(UUID letterId, String flaw) {
		super("The new payload of dead letter '" + letterId + "' must be JSON and is not: " + flaw
				+ ". Consider correcting it there.");
	}

}
