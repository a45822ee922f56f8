package dev.eventing.sdk.projector;

/** The state of a projector. */
public enum ProjectorState {

	/** It is stopped and takes no events. */
	STOPPED,

	/** It was started, but does not read events yet. */
	STARTING,

	/** It reads events. */
	RUNNING,

	/**
	 * Its read model was emptied and is being filled from events. Readers see less than
	 * they saw.
	 */
	REBUILDING,

	/** An operator paused it, on all nodes. It takes no further events. */
	PAUSED,

	/**
	 * Its first events since its start all failed for one reason, which its detail names.
	 * It takes no further events, and makes no dead letters. It goes on once an event
	 * that it tries again succeeds, an operator resumes it, or it is started again.
	 */
	PAUSED_BY_FAILURES,

	/** NATS or JetStream does not answer. It continues automatically when they do. */
	WAITING_FOR_NATS,

	/**
	 * Another node owns it. This node takes over within seconds when that node stops or
	 * dies.
	 */
	STANDBY,

	/** PostgreSQL does not answer. It continues automatically when PostgreSQL does. */
	WAITING_FOR_DATABASE,

	/**
	 * It has met an event of a version that this node's code does not know. It takes no
	 * further events, and leaves the projector to a node with newer code.
	 */
	WAITING_FOR_NEWER_CODE,

	/** The operator must correct something. It tries again until then. */
	FAILED,

	/**
	 * A part of it ended with an unexpected error, which is in the log. The part restarts
	 * after a pause.
	 */
	RESTARTING,

	/**
	 * There is work, but for {@code stalledAfter} no event was settled and no handler was
	 * called. Either a handler does not return, or a server does not answer. Or a method
	 * that empties its read model does not return. The log contains the stack of the
	 * thread.
	 */
	STALLED;

	/** Whether events are read and applied. */
	public boolean isReading() {
		return this == RUNNING || this == REBUILDING;
	}

}
