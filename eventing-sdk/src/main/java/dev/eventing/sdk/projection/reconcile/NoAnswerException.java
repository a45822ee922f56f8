package dev.eventing.sdk.projection.reconcile;

import dev.eventing.sdk.EventingException;

/** The projector is not in a state in which a check has an answer. */
class NoAnswerException extends EventingException {

	private static final long serialVersionUID = 1L;

	NoAnswerException(String message) {
		super(message);
	}

}
