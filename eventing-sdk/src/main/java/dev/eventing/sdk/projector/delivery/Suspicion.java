package dev.eventing.sdk.projector.delivery;

/**
 * Whether an event may have ended a process. The constants are ordered by how strong the
 * suspicion is. An event moves down the list, or back to {@link #NONE} when it is known
 * to be harmless.
 */
public enum Suspicion {

	/** The event is not a suspect. */
	NONE,

	/** It was handed to a process that did not stop cleanly. It must be looked up. */
	POSSIBLE,

	/** It was not applied and has no mark. It must be marked before it runs. */
	UNMARKED,

	/** Its mark is committed. If this process dies now, the next one finds the mark. */
	MARKED,

	/** A process died while it was marked. It runs alone. */
	LIKELY,

	/** It runs alone, and its attempt is already counted. */
	COUNTED

}
