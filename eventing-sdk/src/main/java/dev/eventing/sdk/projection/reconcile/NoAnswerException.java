package dev.eventing.sdk.projection.reconcile;

import dev.eventing.sdk.EventingException;

/** The projector is not in a state in which a check has an answer. */
class NoAnswerException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final boolean forNow;

	NoAnswerException(String message) {
		this(message, false);
	}

	private NoAnswerException(String message, boolean forNow) {
		super(message);
		this.forNow = forNow;
	}

	/** There may be an answer a moment later. */
	static NoAnswerException forNow(String message) {
		return new NoAnswerException(message, true);
	}

	/** Whether there may be an answer a moment later. */
	boolean isForNow() {
		return this.forNow;
	}

}
