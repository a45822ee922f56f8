package dev.eventing.sdk.nats;

import java.io.IOException;

/** The server says that nobody listens to a subject. */
class NobodyListensException extends IOException {

	private static final long serialVersionUID = 1L;

	NobodyListensException(String message) {
		super(message);
	}

}
