package dev.eventing.sdk.projector.rebuild;

import java.util.Map;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.projection.ledger.EffectTarget;

/**
 * The event store refuses effects that a switch has found due. Has no cause, which might
 * quote a payload.
 */
public class DueEffectsRefusedException extends EventingException {

	private static final long serialVersionUID = 1L;

	DueEffectsRefusedException(ProjectorId projector, Map<EffectTarget, String> refused) {
		super("Effects of projector '" + projector + "' that its switch has found due cannot be appended to "
				+ streams(refused) + ". They are tried again, and later ones of the same stream wait for them."
				+ " Consider what refuses them, such as a right, a constraint, a time limit or a tenant that is gone.");
	}

	/** The first one, and the number of the others. */
	private static String streams(Map<EffectTarget, String> refused) {
		Map.Entry<EffectTarget, String> first = refused.entrySet().iterator().next();
		String others = (refused.size() > 1) ? ", nor to " + (refused.size() - 1) + " others" : "";
		return "stream " + Quoted.of(first.getKey().streamId()) + " of tenant '" + first.getKey().tenantId() + "'"
				+ others + ": " + first.getValue();
	}

}
