package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;

/** Options of pruning are invalid. */
public class InvalidPruningOptionsException extends EventingException {

	private static final long serialVersionUID = 1L;

	InvalidPruningOptionsException(String message) {
		super(message);
	}

}
