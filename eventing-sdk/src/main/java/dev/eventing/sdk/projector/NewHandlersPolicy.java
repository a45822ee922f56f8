package dev.eventing.sdk.projector;

/**
 * Which skipped events a new handler gets. The projector skips events while it has no
 * handler for them: before the handler was added, or while an older version of the
 * application runs.
 */
public enum NewHandlersPolicy {

	/** Not set here. The defaults apply, and finally {@link #REWIND}. */
	INHERIT,

	/**
	 * All of them, before the projector continues. Other handlers do not get events
	 * again.
	 */
	REWIND,

	/** None of them. */
	FROM_NOW,

	/** The projector does not run until the operator sets another policy. */
	REFUSE

}
