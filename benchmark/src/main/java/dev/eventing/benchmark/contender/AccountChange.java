package dev.eventing.benchmark.contender;

import java.util.UUID;

/**
 * An event.
 *
 * @param id its identity
 * @param payload what happened
 */
public record AccountChange(UUID id, AccountChanged payload) {

	/** The tenant of all events. */
	public static final String TENANT = "acme";

	/** The stream of the event store, and the ordering key. */
	public String streamId() {
		return this.payload.account();
	}

	/** The event's version within its stream, from 1. */
	public long version() {
		return this.payload.change();
	}

}
