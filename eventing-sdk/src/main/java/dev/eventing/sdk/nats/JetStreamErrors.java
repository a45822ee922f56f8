package dev.eventing.sdk.nats;

import dev.eventing.sdk.EventingException;
import io.nats.client.JetStreamApiException;

/** What an error of the JetStream API means to a projector. */
final class JetStreamErrors {

	/** A stream or consumer does not exist. */
	static final int NOT_FOUND = 404;

	/** From here on the server says that it, not the request, is at fault. */
	private static final int SERVER_FAULT = 500;

	private JetStreamErrors() {
	}

	/** Whether the same request may succeed later, without anybody changing anything. */
	static boolean isTransient(Exception cause) {
		return !(cause instanceof JetStreamApiException api) || api.getErrorCode() >= SERVER_FAULT;
	}

	static EventingException translate(String what, Exception cause) {
		if (isTransient(cause)) {
			return new NatsUnavailableException(what + ": JetStream does not answer.", cause);
		}
		return new JetStreamConfigurationException(what + ": " + cause.getMessage() + ".");
	}

}
