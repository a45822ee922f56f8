package dev.eventing.sdk.projection;

/** What appends do for an inline projector. */
public enum InlineStatus {

	/** They skip it. Its owner reads the event store until it can be inline. */
	FOLLOWING,

	/**
	 * They run its handlers. The read model has all committed events. Not while the
	 * projector is paused: then appends skip it, and it is diverged with the first event.
	 */
	INLINE,

	/**
	 * Some appends did not run its handlers, so the read model lacks their events. All
	 * appends skip it until its owner has applied these.
	 */
	DIVERGED,

	/** They skip it, because an operator decided so. Its owner reads the event store. */
	DEMOTED

}
