package dev.eventing.sdk.event;

import java.util.Set;

import dev.eventing.sdk.EventingException;

/** No class is known for an event's type. */
public class UnknownEventTypeException extends EventingException {

	private static final long serialVersionUID = 1L;

	UnknownEventTypeException(Event<?> event, Set<String> known) {
		super("Event '" + event.id() + "' of tenant '" + event.tenantId() + "' is of type " + Quoted.of(event.type())
				+ ", which is none of " + known
				+ ". Consider adding a class for it, or @EventType with the name it had before it was renamed.");
	}

}
