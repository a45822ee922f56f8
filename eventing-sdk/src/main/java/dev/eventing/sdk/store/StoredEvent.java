package dev.eventing.sdk.store;

import java.time.Instant;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.UnboundPayload;

/**
 * An event as it lies in the store.
 *
 * @param position its place among the events of all streams and tenants. Positions of one
 * stream ascend with its versions; between two positions others may be missing for ever.
 * @param recordedAt when it was appended, by the database's clock
 * @param event with its stream and its version there
 */
public record StoredEvent(long position, Instant recordedAt, Event<UnboundPayload> event) {

	/** Its place in its stream, from 1 on. */
	public long version() {
		Long version = this.event.streamVersion();
		return (version != null) ? version : 0;
	}

}
