package dev.eventing.sdk.deadletter;

/** What can be done to a letter. */
public enum DeadLetterAction {

	/** A redrive was requested. */
	REDRIVE_REQUESTED,

	/** A redrive applied it. */
	RESOLVED,

	/** A redrive ran its handler, which failed again: it stays parked. */
	FAILED_AGAIN,

	/** One before it in its key failed again: it stays parked behind that one. */
	HELD_BACK,

	/** It shall not be applied. */
	DISCARDED,

	/** It was closed, and its event came again and could not be applied either. */
	REOPENED,

	/** It has another payload for its redrives. */
	EDITED,

	/** The dead-letter stream cannot take its copy; it stays in the ledger only. */
	NOT_FORWARDED

}
