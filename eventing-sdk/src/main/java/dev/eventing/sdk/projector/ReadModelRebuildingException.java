package dev.eventing.sdk.projector;

import dev.eventing.sdk.UnavailableException;

/**
 * The projector's read model was emptied and is being filled from events. So events whose
 * effects it showed before may be missing in it now.
 */
public class ReadModelRebuildingException extends UnavailableException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param projector the projector's name
	 * @param filledTo the position up to which it is filled
	 */
	public ReadModelRebuildingException(String projector, long filledTo) {
		super("The read model of projector '" + projector
				+ "' is being rebuilt: it is filled from events up to position " + filledTo
				+ ". Consider waiting until the projector is RUNNING again.");
	}

}
