package dev.eventing.sdk.nats;

/**
 * The subject of an event has no subscriber: no stream carries it, or the stream that
 * carries it has no leader now.
 */
public class SubjectNotTakenException extends NatsUnavailableException {

	private static final long serialVersionUID = 1L;

	private final String subject;

	SubjectNotTakenException(String subject, Throwable cause) {
		super("No stream takes the event for subject '" + subject
				+ "'. Consider one that carries the subject, declared with eventing.streams.<NAME>.subjects, unless its"
				+ " stream has no leader now.", cause);
		this.subject = subject;
	}

	/** The subject to which the event was published. */
	public String subject() {
		return this.subject;
	}

}
