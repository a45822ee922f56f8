package dev.eventing.sdk.nats;

/**
 * Nobody listens to the subject of an event: no stream carries it, or the one that does
 * has no leader just now.
 */
public class SubjectNotTakenException extends NatsUnavailableException {

	private static final long serialVersionUID = 1L;

	private final String subject;

	SubjectNotTakenException(String subject, Throwable cause) {
		super("The event for subject '" + subject
				+ "' is not confirmed by JetStream. Consider whether a stream carries that subject.", cause);
		this.subject = subject;
	}

	/** The subject it was published to. */
	public String subject() {
		return this.subject;
	}

}
