package dev.eventing.sdk.nats;

import org.jspecify.annotations.Nullable;

/**
 * A stream takes no events now: it is full, its account or its server is full, or it is
 * closed to new messages, such as a sealed stream. The message has the server's words.
 * Other streams may take events. The event is not stored; publishing it again succeeds
 * once an operator has made room or changed the stream.
 */
public class StreamNotTakingException extends NatsUnavailableException {

	private static final long serialVersionUID = 1L;

	private final String subject;

	private final @Nullable String stream;

	StreamNotTakingException(String subject, @Nullable String stream, String message, Throwable cause) {
		super(message, cause);
		this.subject = subject;
		this.stream = stream;
	}

	/** The subject to which the event was published. */
	public String subject() {
		return this.subject;
	}

	/** The stream; null if the client does not tell. */
	public @Nullable String stream() {
		return this.stream;
	}

}
