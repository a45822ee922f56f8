package dev.eventing.sdk.store;

import java.util.List;

import dev.eventing.sdk.event.TenantId;

/**
 * The events of an append whose transaction has not been committed.
 *
 * @param tenantId the tenant of the stream
 * @param streamId the stream
 * @param events one or more in order, exactly as later readers get them: the payload is
 * the JSON that PostgreSQL stores
 */
public record AppendedEvents(TenantId tenantId, String streamId, List<StoredEvent> events) {

	public AppendedEvents {
		events = List.copyOf(events);
	}

	/** The stream's new version, and the positions of the events. */
	public AppendResult result() {
		StoredEvent last = this.events.get(this.events.size() - 1);
		return new AppendResult(last.version(), this.events.get(0).position(), last.position());
	}

}
