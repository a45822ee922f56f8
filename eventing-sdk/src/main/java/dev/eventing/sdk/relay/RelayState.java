package dev.eventing.sdk.relay;

/** What a relay is doing on this node. */
public enum RelayState {

	/** It does nothing. */
	STOPPED,

	/** It was started and does not know yet whether it is the one to publish. */
	STARTING,

	/** Another node publishes; this one takes over when that one is gone. */
	STANDBY,

	/** It publishes events as they are committed. */
	RUNNING,

	/** It is the one to publish and was told not to for now. */
	PAUSED,

	/**
	 * NATS does not answer, or no stream takes an event; it tries again until one does.
	 */
	WAITING_FOR_NATS,

	/** PostgreSQL does not answer; it goes on by itself once it does. */
	WAITING_FOR_DATABASE,

	/**
	 * The event store and what was published contradict each other, as after a restore of
	 * the database to an earlier point. It publishes nothing until a person has decided,
	 * see {@link Relays#acceptRestore}.
	 */
	REFUSED,

	/** Something failed that should not; it tries again. */
	FAILED,

	/** It ended with an unexpected error and begins again after a pause. */
	RESTARTING,

	/**
	 * Events are there to be published, and none has been for {@code stalledAfter}. The
	 * log has the stack of its thread.
	 */
	STALLED

}
