package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;

/**
 * The database cannot execute an addition to a row: the table or a column is unknown, no
 * constraint makes the key unique, or a column is not a number.
 * {@link ReadModelWriter#add} throws it.
 */
public class InvalidAdditionException extends EventingException {

	private static final long serialVersionUID = 1L;

	public InvalidAdditionException(String message) {
		super(message);
	}

}
