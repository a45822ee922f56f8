package dev.eventing.sdk.event;

import dev.eventing.sdk.EventingException;

/**
 * An event means nothing any more: an {@link EventUpcaster} has dropped it, or its
 * content was erased from the event store. Consider {@link UnboundPayload#bindKept} or
 * {@link PayloadTypes#bindKept}.
 */
public class DroppedEventException extends EventingException {

	private static final long serialVersionUID = 1L;

	DroppedEventException(String type, int version) {
		this("An event of type " + Quoted.of(type) + ", written in version " + version
				+ ", was dropped by an upcaster. Consider bindKept, and skipping the event.");
	}

	private DroppedEventException(String message) {
		super(message);
	}

	static DroppedEventException erased(String type) {
		return new DroppedEventException("The content of an event of type " + Quoted.of(type)
				+ " was erased. Consider bindKept, and skipping the event.");
	}

}
