package dev.eventing.sdk.projector;

/** The order in which a projector applies its events. */
public enum Ordering {

	/** Not set here. The defaults apply, and finally {@link #PER_KEY}. */
	INHERIT,

	/** Events of one tenant and ordering key are applied in stream order. */
	PER_KEY,

	/**
	 * No order: nodes compete for events. Only {@code processed_events} ensures that each
	 * event is applied once.
	 */
	NONE

}
