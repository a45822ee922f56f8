package dev.eventing.sdk.projector;

/** What a projector is doing. */
public enum ProjectorState {

	/** It takes no events. */
	STOPPED,

	/** It was started and has not reached its durable yet. */
	STARTING,

	/** It takes events as they come. */
	RUNNING,

	/** It was told to take no further events for now. */
	PAUSED,

	/** NATS or JetStream does not answer; it goes on by itself once they do. */
	WAITING_FOR_NATS,

	/**
	 * Another node owns it; this one takes over within seconds when that node is gone.
	 */
	STANDBY,

	/** PostgreSQL does not answer; it goes on by itself once it does. */
	WAITING_FOR_DATABASE,

	/** A person must change something; it tries again until then. */
	FAILED,

	/**
	 * A part of it ended with an unexpected error, which the log has, and begins again
	 * after a pause.
	 */
	RESTARTING,

	/**
	 * There is work, and for {@code stalledAfter} nothing has been settled and no handler
	 * called: a handler that does not return, or a server that does not answer. The log
	 * has the stack of the thread.
	 */
	STALLED

}
