package dev.eventing.sdk.projector.transaction;

import dev.eventing.sdk.EventingException;

/** A generation that is not live has failed. The transaction rolls back. */
public class GenerationFailedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public GenerationFailedException(String why) {
		super(why);
	}

}
