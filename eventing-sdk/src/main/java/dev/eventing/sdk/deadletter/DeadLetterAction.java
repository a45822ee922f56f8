package dev.eventing.sdk.deadletter;

/** The actions on a letter. */
public enum DeadLetterAction {

	/** A redrive of it was requested. */
	REDRIVE_REQUESTED,

	/** A redrive applied it. */
	RESOLVED,

	/** A redrive ran its handler, which failed again. The letter stays parked. */
	FAILED_AGAIN,

	/**
	 * An earlier letter of its key failed again. The letter stays parked after that one.
	 */
	HELD_BACK,

	/** It was discarded: its event is never applied. */
	DISCARDED,

	/**
	 * It was closed. Then its event was delivered again and became a dead letter again.
	 */
	REOPENED,

	/**
	 * It was closed, because the projector's read model is rebuilt and its event is
	 * applied again in order.
	 */
	REBUILT,

	/** It got another payload for its redrives. */
	EDITED,

	/** Its contents were erased, and it was closed. */
	ERASED,

	/** The dead-letter stream cannot accept its copy. It exists in the ledger only. */
	NOT_FORWARDED

}
