package dev.eventing.sdk.projector.failure;

/**
 * What failed is a statement of the SDK's own, before a handler began or while what
 * became of an event was to be written. So it says nothing about the event, whatever it
 * was: it is waited out as long as it takes.
 */
public final class OwnStatementException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public OwnStatementException(RuntimeException cause) {
		super("A statement of the SDK's own failed: " + cause.getMessage(), cause);
	}

}
