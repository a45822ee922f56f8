package dev.eventing.sdk.projector;

import java.util.Collection;

import dev.eventing.sdk.EventingException;

/** The application has no projector of that name. */
public class UnknownProjectorException extends EventingException {

	private static final long serialVersionUID = 1L;

	public UnknownProjectorException(String name, Collection<String> known) {
		super("There is no projector '" + name + "'. Known are " + known + ".");
	}

}
