package dev.eventing.sdk.store;

import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;

/**
 * The columns of a complete event that is not appended yet, as the event store would have
 * them.
 *
 * @param id the event's id
 * @param streamId the stream to which it is appended
 * @param type the event's type
 * @param occurredAt the event's time
 * @param payload the payload as JSON
 * @param metadata its other attributes as JSON
 */
public record EventColumns(UUID id, String streamId, String type, Instant occurredAt, String payload, String metadata) {

	/** Those of an event that was prepared for a stream. */
	public static EventColumns of(String streamId, Event<String> event) {
		return new EventColumns(event.id(), streamId, event.type(), event.time(), event.payload(),
				StoredMetadata.json(event));
	}

	/** The event again, as an append takes it. */
	public Event<String> event(TenantId tenantId) {
		StoredMetadata read = StoredMetadata.of(this.metadata);
		return Event.builder(tenantId, this.payload)
			.id(this.id)
			.type(this.type)
			.typeVersion(read.version())
			.time(this.occurredAt)
			.streamId(this.streamId)
			.source(read.source())
			.key(read.key())
			.correlationId(read.correlationId())
			.causationId(read.causationId())
			.headers(read.eventHeaders())
			.build();
	}

	/** Omits the payload and the metadata, which may be confidential. */
	@Override
	public String toString() {
		return "EventColumns[" + this.type + " " + this.id + "]";
	}

}
