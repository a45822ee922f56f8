package dev.eventing.sdk.deadletter;

/** The status of a dead letter. */
public enum DeadLetterStatus {

	/** It waits for an operator or an automatic redrive. */
	PARKED,

	/** A redrive is going to run its handler. */
	REDRIVING,

	/** A redrive applied it. */
	RESOLVED,

	/** An operator discarded it. Its event is never applied. */
	DISCARDED

}
