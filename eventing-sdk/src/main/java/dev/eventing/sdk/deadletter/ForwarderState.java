package dev.eventing.sdk.deadletter;

/** The state of the forwarder of dead letters. */
public enum ForwarderState {

	/** It is not running. */
	STOPPED,

	/** Another node forwards. */
	STANDBY,

	/** It forwards letters. */
	FORWARDING,

	/**
	 * No stream carries the subject of any letter, and none ever did: letters stay in the
	 * ledger, which is all that they need. It looks for a stream again from time to time.
	 */
	LEDGER_ONLY,

	/**
	 * No stream carries the subjects of some letters, though letters were forwarded
	 * before. It looks for one again from time to time.
	 */
	NO_STREAM,

	/** NATS does not confirm letters, or answers with an error. It tries again. */
	WAITING_FOR_NATS,

	/** It cannot read the ledger. It tries again. */
	WAITING_FOR_DATABASE,

	/** It ended with an unexpected error and restarts after a pause. */
	RESTARTING

}
