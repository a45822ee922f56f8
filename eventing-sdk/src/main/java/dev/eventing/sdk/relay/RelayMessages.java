package dev.eventing.sdk.relay;

import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.relay.JdbcRelayPositions.Passed;
import dev.eventing.sdk.store.StoredEvent;
import org.jspecify.annotations.Nullable;

/** Writes stored events as messages, and recognises these messages. */
final class RelayMessages {

	/** The event's position in the event store. */
	static final String POSITION = "Eventing-Position";

	/**
	 * The relay that published the event: its name, the epoch of its lease, its node, its
	 * seal.
	 */
	static final String RELAY = "Eventing-Relay";

	private static final String SEPARATOR = ";";

	private final EventSubjects subjects;

	private final EventWriter writer;

	private final String mark;

	private final RelaySeal seal;

	RelayMessages(RelayOptions options, EventWriter writer, String node, long epoch, RelaySeal seal) {
		this.subjects = options.subjects();
		this.writer = writer;
		this.mark = options.name() + SEPARATOR + epoch + SEPARATOR + node + SEPARATOR;
		this.seal = seal;
	}

	/**
	 * Writes the message of an event.
	 * @throws EventingException if the event can never be published
	 */
	RawEvent write(StoredEvent stored) {
		Event<UnboundPayload> event = stored.event();
		String position = Long.toString(stored.position());
		return this.writer.write(this.subjects.subjectOf(event), event,
				Map.of(POSITION, position, RELAY, this.mark + this.seal.of(position, event.id().toString())));
	}

	/**
	 * The event in a message of this relay; null if another publisher sent the message,
	 * whatever its headers claim.
	 */
	static @Nullable Passed event(String relay, RelaySeal seal, EventHeaders headers) {
		String by = headers.first(RELAY);
		String position = headers.first(POSITION);
		String id = headers.first("ce-id");
		if (by == null || position == null || id == null || !by.startsWith(relay + SEPARATOR)
				|| !seal.fits(by.substring(by.lastIndexOf(SEPARATOR) + 1), position, id)) {
			return null;
		}
		return new Passed(Long.parseLong(position), UUID.fromString(id));
	}

}
