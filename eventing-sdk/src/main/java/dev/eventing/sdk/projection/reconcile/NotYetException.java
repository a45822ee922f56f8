package dev.eventing.sdk.projection.reconcile;

/** A check has no answer now, and may have one a moment later. */
final class NotYetException extends NoAnswerException {

	private static final long serialVersionUID = 1L;

	NotYetException(String message) {
		super(message);
	}

}
