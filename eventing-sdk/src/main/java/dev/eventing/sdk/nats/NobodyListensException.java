package dev.eventing.sdk.nats;

import java.io.IOException;

/** The server reports that a subject has no subscribers (no responders). */
class NobodyListensException extends IOException {

	private static final long serialVersionUID = 1L;

	NobodyListensException(String message) {
		super(message);
	}

}
