package dev.eventing.sdk.projector.rebuild;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.ProjectorId;

/**
 * The event store refuses effects that a switch has found due. Has no cause, which might
 * quote a payload.
 */
public class DueEffectsRefusedException extends EventingException {

	private static final long serialVersionUID = 1L;

	DueEffectsRefusedException(ProjectorId projector, String why) {
		super("Effects of projector '" + projector + "' that its switch has found due cannot be appended: " + why
				+ ". They are tried again. Consider what refuses them, such as a right or a constraint.");
	}

}
