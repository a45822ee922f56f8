package dev.eventing.sdk.deadletter;

/** What the forwarder of dead letters is doing. */
public enum ForwarderState {

	/** It does not run. */
	STOPPED,

	/** Another node forwards. */
	STANDBY,

	/** It forwards what comes. */
	FORWARDING,

	/** No stream takes letters; it looks again now and then. */
	NO_STREAM,

	/** NATS does not confirm letters, or answers with an error; it tries again. */
	WAITING_FOR_NATS,

	/** The ledger cannot be read. */
	WAITING_FOR_DATABASE,

	/** It ended with an unexpected error and begins again after a pause. */
	RESTARTING

}
