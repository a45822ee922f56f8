package dev.eventing.sdk.store;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Quoted;

/** An {@link AppendListener} appended events while it was called for another append. */
public class AppendInListenerException extends EventingException {

	private static final long serialVersionUID = 1L;

	AppendInListenerException(String streamId, String listener) {
		super("Listener " + Quoted.of(listener) + " appends to stream " + Quoted.of(streamId)
				+ " while it is called for another append. Its lock on that stream would come after positions were "
				+ "drawn. Consider a projector that appends when it handles the event.");
	}

}
