package dev.eventing.sdk.nats;

import dev.eventing.sdk.event.EventHeaders;
import io.nats.client.impl.Headers;
import org.jspecify.annotations.Nullable;

/** Reads the headers of a message. */
final class WireHeaders {

	private WireHeaders() {
	}

	/** The headers as values; empty if the message has none. */
	static EventHeaders read(@Nullable Headers headers) {
		if (headers == null) {
			return EventHeaders.empty();
		}
		EventHeaders.Builder builder = EventHeaders.builder();
		headers.forEach(builder::addAll);
		return builder.build();
	}

}
