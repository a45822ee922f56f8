package dev.eventing.sdk.projector;

/** What becomes of later events of a key once one of it is a dead letter. */
public enum Parking {

	/**
	 * Not said here: what the defaults say, in the end {@link #KEY} where order is kept
	 * per key, and {@link #NONE} where none is.
	 */
	INHERIT,

	/**
	 * They are parked behind it, without running a handler, until it is redriven or
	 * discarded.
	 */
	KEY,

	/** They are applied as if nothing had happened. */
	NONE

}
