package dev.eventing.sdk.projection.tables;

import dev.eventing.sdk.UnavailableException;

/** A transaction uses the tables in a way that stands in the way now. */
public class TablesInUseException extends UnavailableException {

	private static final long serialVersionUID = 1L;

	TablesInUseException(String message) {
		super(message);
	}

}
