package dev.eventing.sdk.projector;

/** Where in its stream a projector that has never run begins. */
public enum DeliverPolicy {

	/** Not said here: what the defaults say, in the end {@link #ALL}. */
	INHERIT,

	/** At the first event the stream still holds. */
	ALL,

	/** With events published after the durable was created. */
	NEW

}
