package dev.eventing.sdk.nats;

import dev.eventing.sdk.EventingException;

/**
 * A stream or durable consumer is not as a projector needs it, and a person must decide.
 */
public class JetStreamConfigurationException extends EventingException {

	private static final long serialVersionUID = 1L;

	public JetStreamConfigurationException(String message) {
		super(message);
	}

}
