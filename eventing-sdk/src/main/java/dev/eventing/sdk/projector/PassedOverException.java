package dev.eventing.sdk.projector;

import java.util.Collection;

import dev.eventing.sdk.OperatorMustActException;

/**
 * A projector has skipped events that one of its handlers takes now. With
 * {@link NewHandlersPolicy#REFUSE} the operator decides what happens to them.
 */
public final class PassedOverException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	public PassedOverException(String projector, String stream, Collection<String> names, long from) {
		super("Projector '" + projector + "' has handlers for " + names + " now, but has skipped such events from "
				+ (from + 1) + " of '" + stream
				+ "' on. Consider new-handlers = rewind to handle them, or from-now to leave them out.");
	}

}
