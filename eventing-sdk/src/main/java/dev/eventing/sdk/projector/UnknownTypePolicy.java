package dev.eventing.sdk.projector;

/**
 * What happens to an event that arrives on a projector's subject and none of its handlers
 * takes.
 */
public enum UnknownTypePolicy {

	/** Not said here: what the defaults say, in the end {@link #SKIP}. */
	INHERIT,

	/** It is acknowledged and counted as skipped; no row is written. */
	SKIP,

	/** It becomes a dead letter. */
	DEAD_LETTER

}
