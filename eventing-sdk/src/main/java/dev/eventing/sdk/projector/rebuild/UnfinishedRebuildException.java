package dev.eventing.sdk.projector.rebuild;

import dev.eventing.sdk.OperatorMustActException;
import dev.eventing.sdk.event.ProjectorId;

/**
 * Another version of the projector began to fill the read model, and this version cannot
 * continue.
 */
public class UnfinishedRebuildException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	UnfinishedRebuildException(ProjectorId projector, String why) {
		super("The read model of projector '" + projector + "' is being filled, and this version cannot go on. " + why);
	}

}
