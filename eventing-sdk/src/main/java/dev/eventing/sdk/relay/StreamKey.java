package dev.eventing.sdk.relay;

import java.util.Objects;

import dev.eventing.sdk.store.StoredEvent;

/** A stream of the event store. A relay keeps the order of its events. */
record StreamKey(String tenantId, String streamId) {

	static StreamKey of(StoredEvent stored) {
		return new StreamKey(stored.event().tenantId().value(), Objects.requireNonNull(stored.event().streamId()));
	}

}
