package dev.eventing.sdk.nats;

import dev.eventing.sdk.EventingException;
import io.nats.client.JetStreamApiException;

/** What an error of the JetStream API means to a projector. */
final class JetStreamErrors {

	/** A stream or consumer does not exist. */
	static final int NOT_FOUND = 404;

	/**
	 * JetStream cannot answer now; 500 and others speak of the request, whatever their
	 * number says.
	 */
	private static final int UNAVAILABLE = 503;

	/** The same message is just being stored, by a publish before this one. */
	private static final int BEING_STORED = 10158;

	/** A stream's subjects would take in those of JetStream's own API. */
	private static final int OVERLAPS_WITH_API = 10052;

	private JetStreamErrors() {
	}

	/**
	 * Whether the same request may succeed later, without anybody changing anything. So
	 * does what the client throws where it cannot take a request: its connection is
	 * closed, or what it has to send has no room.
	 */
	static boolean isTransient(Exception cause) {
		return !(cause instanceof JetStreamApiException api) || api.getErrorCode() == UNAVAILABLE
				|| api.getApiErrorCode() == BEING_STORED;
	}

	/** Whether a stream is refused because of subjects that JetStream needs itself. */
	static boolean isOverlap(Exception cause) {
		return cause instanceof JetStreamApiException api && api.getApiErrorCode() == OVERLAPS_WITH_API;
	}

	static EventingException translate(String what, Exception cause) {
		if (isTransient(cause)) {
			return new NatsUnavailableException(what + ": JetStream does not answer.", cause);
		}
		return new JetStreamConfigurationException(what + ": " + cause.getMessage() + ".");
	}

}
