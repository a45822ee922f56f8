package dev.eventing.sdk.event;

import dev.eventing.sdk.EventingException;

/**
 * An event was written in a version of its type that this node's code does not know. A
 * projector leaves the event to a node with newer code.
 */
public class NewerEventException extends EventingException {

	private static final long serialVersionUID = 1L;

	NewerEventException(String type, int version, EventClass known) {
		super("An event of type " + Quoted.of(type) + " was written in version " + version + ", and '"
				+ known.type().getName() + "' of this node's code is version " + known.version()
				+ ". Consider starting nodes with newer code.");
	}

}
