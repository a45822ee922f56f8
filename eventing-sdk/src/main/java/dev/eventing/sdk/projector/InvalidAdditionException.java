package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;

/**
 * An addition to a row that the database cannot take: an unknown table or column, a key
 * that no constraint keeps unique, or a column that is no number. Thrown where the
 * handler hands it over.
 */
public class InvalidAdditionException extends EventingException {

	private static final long serialVersionUID = 1L;

	public InvalidAdditionException(String message) {
		super(message);
	}

}
