package dev.eventing.sdk.projector;

/** Where in its stream a new projector begins. */
public enum DeliverPolicy {

	/** Not set here. The defaults apply, and finally {@link #ALL}. */
	INHERIT,

	/** At the first event that the stream still contains. */
	ALL,

	/** At the first event published after the durable was created. */
	NEW

}
