package dev.eventing.sdk.projector;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Quoted;

/**
 * A transaction appended at an isolation level above read committed, while the
 * application has inline projectors. Its snapshot may be older than their status. The
 * transaction can only be rolled back.
 */
public class InlineIsolationException extends EventingException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param streamId the stream of the append
	 */
	public InlineIsolationException(String streamId) {
		super("The append to stream " + Quoted.of(streamId)
				+ " is in a transaction above read committed, where the status of inline projectors may be that of an"
				+ " old snapshot. Consider read committed for transactions that append: the expected version keeps"
				+ " streams consistent at each level.");
	}

}
