package dev.eventing.sdk.projector;

/** Where a projector reads its events. */
public enum Source {

	/** Not set here. The defaults apply, and finally {@link #JETSTREAM}. */
	INHERIT,

	/** From a durable consumer of a JetStream stream. */
	JETSTREAM,

	/**
	 * Directly from the event store in PostgreSQL, in the order of positions, without
	 * NATS. One node at a time owns the projector.
	 */
	EVENT_STORE

}
