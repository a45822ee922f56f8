package dev.eventing.sdk.projector.failure;

/**
 * One of the SDK's own statements failed, before a handler began or while the SDK wrote
 * the result of an event. So the failure is not about the event, whatever its cause. The
 * projector retries without limit.
 */
public final class OwnStatementException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public OwnStatementException(RuntimeException cause) {
		super("One of the SDK's own statements failed: " + cause.getMessage(), cause);
	}

}
