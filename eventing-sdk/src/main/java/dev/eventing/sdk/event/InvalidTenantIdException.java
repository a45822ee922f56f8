package dev.eventing.sdk.event;

import dev.eventing.sdk.EventingException;

/** A text is not a valid tenant id. */
public class InvalidTenantIdException extends EventingException {

	private static final long serialVersionUID = 1L;

	InvalidTenantIdException(String value, int longest) {
		super(Quoted.of(value) + " is no tenant id. Consider one of 1 to " + longest
				+ " letters, digits, '_' or '-': it stands as one token in subjects.");
	}

}
