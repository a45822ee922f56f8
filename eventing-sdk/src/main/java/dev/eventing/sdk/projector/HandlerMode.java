package dev.eventing.sdk.projector;

/**
 * Why a handler gets an event. A handler gets it as a parameter. The changes of its read
 * model should not depend on it: a read model that is built anew would differ.
 *
 * @since 0.1.0
 */
public enum HandlerMode {

	/** The live read model follows its events. */
	LIVE,

	/**
	 * A read model is filled anew, in place or beside the live one, or is kept fed beside
	 * it after a switch.
	 */
	BUILD,

	/** A handler runs over events of the past for the live read model. */
	BACKFILL,

	/** A dead letter of the live read model runs again. */
	REDRIVE

}
