package dev.eventing.sdk.projector.scope;

import dev.eventing.sdk.EventingException;

/** A part of a read model cannot be rebuilt as it stands. Its transaction rolls back. */
class ScopeRefusedException extends EventingException {

	private static final long serialVersionUID = 1L;

	ScopeRefusedException(String why) {
		super(why);
	}

}
