package dev.eventing.sdk.nats;

import dev.eventing.sdk.UnavailableException;
import org.jspecify.annotations.Nullable;

/** NATS or JetStream does not answer now. A later retry may succeed. */
public class NatsUnavailableException extends UnavailableException {

	private static final long serialVersionUID = 1L;

	public NatsUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
