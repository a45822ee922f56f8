package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Event;
import org.jspecify.annotations.Nullable;

/**
 * An inline projector could not apply an event in the transaction that appended it.
 * Nothing of the append remains: the transaction can only be rolled back, or rolled back
 * to an earlier savepoint. A failure of the database that may pass, such as a deadlock,
 * is thrown as it is instead.
 */
public class InlineProjectionException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final String projector;

	/**
	 * Creates an exception.
	 * @param projector the projector's name
	 * @param event the event, or the first of several
	 * @param problem what failed, as a sentence
	 * @param cause the exception of the handler, or of its writes
	 */
	public InlineProjectionException(String projector, Event<?> event, String problem, @Nullable Throwable cause) {
		super("Inline projector '" + projector + "' did not apply event " + event.id() + " (" + event.type()
				+ ") of tenant '" + event.tenantId() + "', so the append is rolled back. " + problem
				+ " Consider demoting the projector if its handlers must not stop appends.", cause);
		this.projector = projector;
	}

	/** The projector's name. */
	public String projector() {
		return this.projector;
	}

}
