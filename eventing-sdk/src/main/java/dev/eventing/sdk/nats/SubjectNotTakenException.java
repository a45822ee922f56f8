package dev.eventing.sdk.nats;

/**
 * The subject of an event has no subscriber: no stream carries it, or the stream that
 * carries it has no leader now.
 */
public class SubjectNotTakenException extends NatsUnavailableException {

	private static final long serialVersionUID = 1L;

	private final String subject;

	SubjectNotTakenException(String subject, Throwable cause) {
		super("The event for subject '" + subject
				+ "' is not confirmed by JetStream. Consider whether a stream carries that subject.", cause);
		this.subject = subject;
	}

	/** The subject to which the event was published. */
	public String subject() {
		return this.subject;
	}

}
