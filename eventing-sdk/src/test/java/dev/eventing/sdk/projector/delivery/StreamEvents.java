package dev.eventing.sdk.projector.delivery;

import java.time.Instant;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import org.jspecify.annotations.Nullable;

/** Events of unit tests: they lie in a stream that does not exist. */
public final class StreamEvents {

	private StreamEvents() {
	}

	/** An event at this sequence. */
	public static SourceEvent at(long sequence, RawEvent raw) {
		return WireEvent.of(new EventPlace("S", sequence, Instant.EPOCH), raw, false);
	}

	/** An event without content that cannot be read. Settling it changes nothing. */
	public static Work unreadable(long sequence, @Nullable String key) {
		return unreadable(at(sequence, new RawEvent("x", EventHeaders.empty(), new byte[0])), key, Settler.NONE);
	}

	/** An event that cannot be read. */
	static Work unreadable(SourceEvent event, @Nullable String key, Settler settler) {
		return new Work(new RoutedEvent(event,
				new ReadResult.Unreadable(ReadResult.Reason.INVALID_HEADER, "of the test", null, null, null, null),
				null, key), settler);
	}

}
