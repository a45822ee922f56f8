package dev.eventing.sdk.projector;

/** What order a projector keeps among its events. */
public enum Ordering {

	/** Not said here: what the defaults say, in the end {@link #PER_KEY}. */
	INHERIT,

	/** Events of one tenant and key are applied in stream order. */
	PER_KEY,

	/**
	 * None: nodes compete for events, and {@code processed_events} alone keeps each
	 * applied once.
	 */
	NONE

}
