package dev.eventing.sdk.relay;

import java.util.Map;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.store.StoredEvent;
import org.jspecify.annotations.Nullable;

/** Makes messages of stored events, and knows them again. */
final class RelayMessages {

	/** The event's position in the event store. */
	static final String POSITION = "Eventing-Position";

	/** Which relay published it: its name, the epoch of its lease, its node. */
	static final String RELAY = "Eventing-Relay";

	private static final String SEPARATOR = ";";

	private final EventSubjects subjects;

	private final EventWriter writer;

	private final String mark;

	RelayMessages(RelayOptions options, EventWriter writer, String node, long epoch) {
		this.subjects = options.subjects();
		this.writer = writer;
		this.mark = options.name() + SEPARATOR + epoch + SEPARATOR + node;
	}

	/**
	 * Writes the message of an event.
	 * @throws EventingException if the event can never be published as it is
	 */
	RawEvent write(StoredEvent stored) {
		Event<UnboundPayload> event = stored.event();
		return this.writer.write(this.subjects.subjectOf(event), event,
				Map.of(POSITION, Long.toString(stored.position()), RELAY, this.mark));
	}

	/** The position a message of this relay bears; null if it is of someone else. */
	static @Nullable Long position(String relay, EventHeaders headers) {
		String by = headers.first(RELAY);
		String position = headers.first(POSITION);
		if (by == null || position == null || !by.startsWith(relay + SEPARATOR)) {
			return null;
		}
		try {
			return Long.valueOf(position);
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

}
