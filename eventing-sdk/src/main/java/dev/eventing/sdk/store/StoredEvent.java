package dev.eventing.sdk.store;

import java.time.Instant;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.UnboundPayload;

/**
 * An event in the store.
 *
 * @param position its position among the events of all streams and tenants. Positions of
 * one stream ascend with its versions. Some positions have no event.
 * @param recordedAt when it was appended, by the database's clock
 * @param event the event, with its stream and stream version
 */
public record StoredEvent(long position, Instant recordedAt, Event<UnboundPayload> event) {

	/** Its version in its stream, from 1 on. */
	public long version() {
		Long version = this.event.streamVersion();
		return (version != null) ? version : 0;
	}

	/**
	 * Whether its content was erased. Position, version, id, type and times are as
	 * before; payload, key, headers and correlation are gone.
	 */
	public boolean isErased() {
		return this.event.payload().isErased();
	}

}
