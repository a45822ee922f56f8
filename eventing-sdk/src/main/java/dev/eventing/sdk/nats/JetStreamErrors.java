package dev.eventing.sdk.nats;

import dev.eventing.sdk.EventingException;
import io.nats.client.JetStreamApiException;

/** Classifies errors of the JetStream API. */
final class JetStreamErrors {

	/** A stream or consumer does not exist. */
	static final int NOT_FOUND = 404;

	/**
	 * JetStream cannot answer now. Other codes, including 500, are caused by the request.
	 */
	private static final int UNAVAILABLE = 503;

	/** An earlier publish of the same message is still being stored. */
	private static final int BEING_STORED = 10158;

	/** A stream's subjects overlap with those of the JetStream API. */
	private static final int OVERLAPS_WITH_API = 10052;

	private JetStreamErrors() {
	}

	/**
	 * Whether the same request may succeed later without a change. This includes
	 * exceptions of a client that cannot accept a request because its connection is
	 * closed or its send buffer is full.
	 */
	static boolean isTransient(Exception cause) {
		return !(cause instanceof JetStreamApiException api) || api.getErrorCode() == UNAVAILABLE
				|| api.getApiErrorCode() == BEING_STORED;
	}

	/**
	 * Whether a stream is rejected because its subjects overlap with those of JetStream.
	 */
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
