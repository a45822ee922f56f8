package dev.eventing.sdk.relay;

/** The state of a relay on this node. */
public enum RelayState {

	/** The relay is stopped. */
	STOPPED,

	/** It was started and does not know yet whether it gets the lease. */
	STARTING,

	/** Another node publishes. This node takes over when that node stops or crashes. */
	STANDBY,

	/** It publishes events as they are committed. */
	RUNNING,

	/** It holds the lease, and an operator has paused it. */
	PAUSED,

	/**
	 * NATS does not answer, no stream accepts an event, or no more events may be set
	 * aside. It retries until that has changed.
	 */
	WAITING_FOR_NATS,

	/** PostgreSQL does not answer. It continues automatically once PostgreSQL does. */
	WAITING_FOR_DATABASE,

	/**
	 * The event store and the published events contradict each other, for example after a
	 * restore of the database to an earlier state. It publishes nothing until an operator
	 * decides, see {@link Relays#acceptRestore}.
	 */
	REFUSED,

	/** The operator must correct what the detail names. It tries again until then. */
	FAILED,

	/**
	 * Its thread, or one that works for it, ended with an unexpected error. It restarts
	 * after a pause.
	 */
	RESTARTING,

	/**
	 * There are events to publish, but none has been published for {@code stalledAfter};
	 * or its thread hangs for this time. The log has the stack trace of the thread.
	 */
	STALLED

}
