package dev.eventing.sdk.event;

import dev.eventing.sdk.EventingException;

/**
 * An event means nothing any more: an {@link EventUpcaster} has dropped it. Consider
 * {@link UnboundPayload#bindKept} or {@link PayloadTypes#bindKept}.
 */
public class DroppedEventException extends EventingException {

	private static final long serialVersionUID = 1L;

	DroppedEventException(String type, int version) {
		super("An event of type " + Quoted.of(type) + ", written in version " + version
				+ ", was dropped by an upcaster. Consider bindKept, and skipping the event.");
	}

}
