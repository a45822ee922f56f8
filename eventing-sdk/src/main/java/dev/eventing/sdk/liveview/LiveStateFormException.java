package dev.eventing.sdk.liveview;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.TenantId;

/**
 * The stored states of a live view have another form than its code. Nothing was changed:
 * properties that the code does not know would be lost with the next change of a state,
 * and its own would begin in the midst of a history. Has no cause, which might quote a
 * state.
 */
public class LiveStateFormException extends EventingException {

	private static final long serialVersionUID = 1L;

	/**
	 * The properties differ.
	 * @param version the version of the view that feeds the states
	 * @param own the version that this node has
	 * @param difference how its code differs from the states
	 */
	public LiveStateFormException(String view, int version, int own, String difference) {
		super("The states of live view '" + view + "' have another form than in version " + own
				+ " of this node's code: the code " + difference + ". Consider "
				+ ((version == own)
						? "version " + (own + 1) + " for the changed class, beside the former one, and a rebuild."
						: "a node that has version " + version + ", which feeds them."));
	}

	/**
	 * A state cannot be bound.
	 * @param problem the kind of failure, without its message
	 */
	public LiveStateFormException(TenantId tenant, String view, String key, Class<?> type, String problem) {
		super("The state of key '" + key + "' of tenant '" + tenant + "' in live view '" + view
				+ "' cannot be bound to " + type.getName() + " (" + problem
				+ "). Consider the class that has written it, or another version of the view and a rebuild.");
	}

}
