package dev.eventing.sdk.projector;

/**
 * What happens when the first events of a projector since its start all fail for one
 * reason, and none succeeds. Mostly its code or its database is not right then, and not
 * the events.
 */
public enum RepeatedFailurePolicy {

	/** Not set here. The defaults apply, and finally {@link #PAUSE}. */
	INHERIT,

	/**
	 * The projector is {@link ProjectorState#PAUSED_BY_FAILURES} instead of making dead
	 * letters of them all. It tries an event again from time to time, and goes on once
	 * one succeeds, an operator resumes it, or it is started again.
	 */
	PAUSE,

	/** Each becomes a dead letter, as any event that fails. */
	DEAD_LETTER

}
