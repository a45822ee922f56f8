package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;

/**
 * An addition to a row that the table cannot take: an unknown table or column, a key that
 * no constraint keeps unique, or more decimals than a column keeps. Thrown where the
 * handler hands it over.
 */
public class InvalidAdditionException extends EventingException {

	private static final long serialVersionUID = 1L;

	InvalidAdditionException(String message) {
		super(message);
	}

}
