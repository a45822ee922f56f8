package dev.eventing.sdk.nats;

import dev.eventing.sdk.EventingException;

/** JetStream refuses an event; publishing it again will not help. */
public class EventRefusedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public EventRefusedException(String message, Throwable cause) {
		super(message, cause);
	}

}
