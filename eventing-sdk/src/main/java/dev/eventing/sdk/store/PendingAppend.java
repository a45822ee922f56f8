package dev.eventing.sdk.store;

import java.util.List;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;

/**
 * An append that has not been sent to the database.
 *
 * @param tenantId the tenant of the stream
 * @param streamId the stream
 * @param expected the version that the stream must have
 * @param events the complete events in order, with their payloads as JSON, and without
 * versions
 */
public record PendingAppend(TenantId tenantId, String streamId, ExpectedVersion expected, List<Event<String>> events) {

	public PendingAppend {
		events = List.copyOf(events);
	}

}
