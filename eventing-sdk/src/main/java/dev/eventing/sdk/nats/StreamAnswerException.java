package dev.eventing.sdk.nats;

import java.io.IOException;

import io.nats.client.JetStreamApiException;

/**
 * An error with which a stream answers a publish. The client's error lacks the stream.
 */
final class StreamAnswerException extends IOException {

	private static final long serialVersionUID = 1L;

	private final String stream;

	private final JetStreamApiException error;

	StreamAnswerException(String stream, JetStreamApiException error) {
		super(error.getMessage(), error);
		this.stream = stream;
		this.error = error;
	}

	String stream() {
		return this.stream;
	}

	JetStreamApiException error() {
		return this.error;
	}

}
