package dev.eventing.sdk.nats;

import org.jspecify.annotations.Nullable;

/**
 * There is no connection to NATS now. {@link NatsClient} logs this once with the cause,
 * and logs when there is a connection again. So code that catches this exception need not
 * log it.
 */
public class NatsDisconnectedException extends NatsUnavailableException {

	private static final long serialVersionUID = 1L;

	public NatsDisconnectedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
