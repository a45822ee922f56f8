package dev.eventing.sdk.nats;

import dev.eventing.sdk.OperatorMustActException;

/**
 * A stream or durable consumer does not meet a requirement of the SDK, and an operator
 * must decide.
 */
public class JetStreamConfigurationException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	public JetStreamConfigurationException(String message) {
		super(message);
	}

}
