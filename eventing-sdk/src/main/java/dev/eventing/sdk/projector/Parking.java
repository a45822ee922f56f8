package dev.eventing.sdk.projector;

/** What happens to later events of a key while it has an open dead letter. */
public enum Parking {

	/**
	 * Not set here. The defaults apply, and finally {@link #KEY} with
	 * {@link Ordering#PER_KEY} and {@link #NONE} with {@link Ordering#NONE}.
	 */
	INHERIT,

	/**
	 * They are parked after it, and no handler runs for them until it is redriven or
	 * discarded.
	 */
	KEY,

	/** They are applied as usual. */
	NONE

}
