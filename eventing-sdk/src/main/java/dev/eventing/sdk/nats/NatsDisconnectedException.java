package dev.eventing.sdk.nats;

import org.jspecify.annotations.Nullable;

/**
 * There is no connection to NATS now. {@link NatsClient} has said so in the log, once
 * with the cause, and says when there is one again: who catches this need not.
 */
public class NatsDisconnectedException extends NatsUnavailableException {

	private static final long serialVersionUID = 1L;

	public NatsDisconnectedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
