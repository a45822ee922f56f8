package dev.eventing.sdk.liveview;

import java.util.Collection;

import dev.eventing.sdk.EventingException;

/** This node does not define a live view of that name. */
public class UnknownLiveViewException extends EventingException {

	private static final long serialVersionUID = 1L;

	public UnknownLiveViewException(String view, Collection<String> known) {
		super("This node does not define live view '" + view + "'. It defines " + known
				+ ". Consider one of these, or @LiveView(\"" + view + "\").");
	}

}
