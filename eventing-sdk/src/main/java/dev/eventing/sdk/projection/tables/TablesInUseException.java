package dev.eventing.sdk.projection.tables;

import dev.eventing.sdk.EventingException;

/** A transaction uses the tables in a way that stands in the way now. */
public class TablesInUseException extends EventingException {

	private static final long serialVersionUID = 1L;

	TablesInUseException(String message) {
		super(message);
	}

}
