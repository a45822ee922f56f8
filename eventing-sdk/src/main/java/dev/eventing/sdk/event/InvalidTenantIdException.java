package dev.eventing.sdk.event;

import dev.eventing.sdk.EventingException;

/** A text is no tenant id. */
public class InvalidTenantIdException extends EventingException {

	private static final long serialVersionUID = 1L;

	private static final int SHOWN = 80;

	public InvalidTenantIdException(String value) {
		super("'" + ((value.length() > SHOWN) ? value.substring(0, SHOWN) + "..." : value)
				+ "' is no tenant id. Consider one of 1 to " + TenantId.MAX_LENGTH
				+ " letters, digits, '_' or '-': it stands as one token in subjects.");
	}

}
