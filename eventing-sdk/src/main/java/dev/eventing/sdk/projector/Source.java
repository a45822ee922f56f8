package dev.eventing.sdk.projector;

/** Where a projector reads its events. */
public enum Source {

	/** Not said here: what the defaults say, in the end {@link #JETSTREAM}. */
	INHERIT,

	/** From a durable consumer of a JetStream stream. */
	JETSTREAM,

	/**
	 * Straight from the event store in PostgreSQL, in the order of positions: no NATS is
	 * needed. Always owned by one node at a time.
	 */
	EVENT_STORE

}
