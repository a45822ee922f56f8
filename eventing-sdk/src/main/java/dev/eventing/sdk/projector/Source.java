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
	EVENT_STORE,

	/**
	 * Handlers run in the transaction that appends, inside {@code EventStore.append}. A
	 * failure of a handler rolls the append back. Until the read model has all events,
	 * and whenever it lacks some, one node reads the event store as with
	 * {@link #EVENT_STORE}.
	 */
	INLINE

}
