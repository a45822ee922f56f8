package dev.eventing.sdk.relay;

/** How a relay publishes. */
public enum PublishMode {

	/**
	 * Publishes event by event. Many streams proceed in parallel, each with one
	 * unacknowledged event.
	 */
	ASYNC,

	/**
	 * Publishes up to 1000 events as one atomic batch: all are stored, or none. Needs
	 * nats-server 2.12 and a stream with {@code allow_atomic}. If the server rejects a
	 * batch, for example because it has one of the events already, its events are
	 * published one by one.
	 */
	ATOMIC

}
