package dev.eventing.sdk.nats;

import dev.eventing.sdk.event.EventHeaders;
import io.nats.client.impl.Headers;
import org.jspecify.annotations.Nullable;

/** Reads the headers of a message. */
final class WireHeaders {

	private WireHeaders() {
	}

	/** The same headers as values; none for a message without. */
	static EventHeaders read(@Nullable Headers headers) {
		if (headers == null) {
			return EventHeaders.empty();
		}
		EventHeaders.Builder builder = EventHeaders.builder();
		headers.forEach(builder::addAll);
		return builder.build();
	}

}
