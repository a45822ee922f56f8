package dev.eventing.sdk.projection;

import java.util.Collection;

import dev.eventing.sdk.EventingException;

/** No projector of that name ever ran on this database. */
public class UnknownProjectionException extends EventingException {

	private static final long serialVersionUID = 1L;

	public UnknownProjectionException(String name, Collection<String> known) {
		super("No node has ever run a projector '" + name + "' on this database. Known are " + known
				+ ". Consider one of these, or starting the application first.");
	}

}
