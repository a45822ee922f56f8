package dev.eventing.sdk.nats;

/**
 * The server denies the permission to publish to the event's subject. It answers no such
 * publish, so this is known only from what it reports to the connection. The event is not
 * stored, unless it was published before under another permission.
 */
public class SubjectDeniedException extends NatsUnavailableException {

	private static final long serialVersionUID = 1L;

	private final String subject;

	/**
	 * Creates one.
	 * @param violation what the server reported, with the time
	 */
	SubjectDeniedException(String subject, String violation) {
		super("The event for subject '" + subject + "' is denied by the server, which reported: " + violation
				+ ". Consider the permission to publish to that subject.", null);
		this.subject = subject;
	}

	/** The subject to which the event was published. */
	public String subject() {
		return this.subject;
	}

}
