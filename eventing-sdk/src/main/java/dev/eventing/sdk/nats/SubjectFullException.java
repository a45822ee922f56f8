package dev.eventing.sdk.nats;

/**
 * The stream holds as many messages of the event's subject as it may, and takes new ones
 * only when old ones are gone. Other subjects of the stream are not concerned.
 */
public class SubjectFullException extends NatsUnavailableException {

	private static final long serialVersionUID = 1L;

	private final String subject;

	SubjectFullException(String subject, String message, Throwable cause) {
		super(message, cause);
		this.subject = subject;
	}

	/** The subject to which the event was published. */
	public String subject() {
		return this.subject;
	}

}
