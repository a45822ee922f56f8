package dev.eventing.sdk.projector.rebuild;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.ProjectorId;

/** A method of the application that empties a read model failed. */
class ReadModelResetException extends EventingException {

	private static final long serialVersionUID = 1L;

	ReadModelResetException(ProjectorId projector, Exception cause) {
		super("The @ProjectionReset of projector '" + projector + "' failed: " + cause.getClass().getName(), cause);
	}

}
