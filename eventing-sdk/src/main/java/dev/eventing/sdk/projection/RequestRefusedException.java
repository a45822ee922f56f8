package dev.eventing.sdk.projection;

import dev.eventing.sdk.EventingException;

/** A requested change of a read model cannot be done now. Nothing was changed. */
public class RequestRefusedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public RequestRefusedException(String why) {
		super(why);
	}

}
