package dev.eventing.sdk.nats;

import dev.eventing.sdk.EventingException;
import org.jspecify.annotations.Nullable;

/** JetStream rejects an event. Publishing it again will not help. */
public class EventRefusedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public EventRefusedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
