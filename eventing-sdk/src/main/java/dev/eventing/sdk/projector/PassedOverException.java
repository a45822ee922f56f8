package dev.eventing.sdk.projector;

import java.util.Collection;

import dev.eventing.sdk.EventingException;

/**
 * A projector has passed over events that one of its handlers takes now, and is told to
 * leave to a person what becomes of them.
 */
public final class PassedOverException extends EventingException {

	private static final long serialVersionUID = 1L;

	public PassedOverException(String projector, String stream, Collection<String> names, long from) {
		super("Projector '" + projector + "' takes " + names + " now, of which it passed over events behind "
				+ (from + 1) + " of '" + stream
				+ "'. Consider new-handlers = rewind, so that they are handled, or from-now.");
	}

}
