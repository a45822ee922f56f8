package dev.eventing.sdk.deadletter;

/** Where a dead letter stands. */
public enum DeadLetterStatus {

	/** Waits for a person. */
	PARKED,

	/** Its handler is about to run again. */
	REDRIVING,

	/** A redrive applied it. */
	RESOLVED,

	/** A person decided that it shall not be applied. */
	DISCARDED

}
