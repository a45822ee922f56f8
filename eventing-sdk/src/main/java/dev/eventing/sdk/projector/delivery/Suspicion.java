package dev.eventing.sdk.projector.delivery;

/**
 * What is known of an event that a process may have died from. An event goes down this
 * list as more is known of it, and back to {@link #NONE} once it is known to be harmless.
 */
public enum Suspicion {

	/** There is none. */
	NONE,

	/** It was handed to a process that did not stop in order; to be looked up. */
	POSSIBLE,

	/** It was not applied, and nothing says that it was begun: it is to be marked. */
	UNMARKED,

	/** Its mark is committed, so that it is found should this process die now. */
	MARKED,

	/** A process died while it was marked: it runs alone. */
	LIKELY,

	/** It runs alone, and this attempt is counted already. */
	COUNTED

}
