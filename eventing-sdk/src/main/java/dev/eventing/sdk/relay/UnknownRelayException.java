package dev.eventing.sdk.relay;

import java.util.Collection;

import dev.eventing.sdk.EventingException;

/** There is no relay of that name. */
public class UnknownRelayException extends EventingException {

	private static final long serialVersionUID = 1L;

	UnknownRelayException(String name, Collection<String> known) {
		super("There is no relay '" + name + "'. Consider one of " + known + ".");
	}

}
