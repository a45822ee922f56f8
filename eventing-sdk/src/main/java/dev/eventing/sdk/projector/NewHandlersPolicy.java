package dev.eventing.sdk.projector;

/**
 * What a handler gets of the events that its projector passed over while it had no
 * handler for them: before the handler was added, or while an older version of the
 * application ran.
 */
public enum NewHandlersPolicy {

	/** Not said here: what the defaults say, in the end {@link #REWIND}. */
	INHERIT,

	/** All of them, before the projector goes on. What others handled is not repeated. */
	REWIND,

	/** None of them. */
	FROM_NOW,

	/** The projector does not run until somebody has decided. */
	REFUSE

}
