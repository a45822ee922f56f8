package dev.eventing.sdk.relay;

/** How a relay publishes. */
public enum PublishMode {

	/** Event by event, many streams at a time, one unacknowledged event of each. */
	ASYNC,

	/**
	 * Up to 1000 events at a time as one atomic batch: all are stored, or none. Needs
	 * nats-server 2.12 and a stream with {@code allow_atomic}. A batch the server
	 * refuses, as for one event it has already, goes event by event.
	 */
	ATOMIC

}
