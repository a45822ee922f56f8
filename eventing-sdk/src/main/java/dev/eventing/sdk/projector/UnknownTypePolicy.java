package dev.eventing.sdk.projector;

/**
 * What happens to an event on a projector's subject that none of its handlers takes.
 */
public enum UnknownTypePolicy {

	/** Not set here. The defaults apply, and finally {@link #SKIP}. */
	INHERIT,

	/**
	 * It is acknowledged and counted as skipped. No row is written to
	 * {@code processed_events}.
	 */
	SKIP,

	/** It becomes a dead letter. */
	DEAD_LETTER

}
