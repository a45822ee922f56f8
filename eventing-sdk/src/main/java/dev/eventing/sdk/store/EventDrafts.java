package dev.eventing.sdk.store;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventBuilder;
import dev.eventing.sdk.event.EventContext;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.InvalidEventException;
import dev.eventing.sdk.event.PayloadWritingException;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;

/**
 * Turns new events into complete ones with a JSON payload, and rejects everything that
 * the database would reject. Thread-safe.
 */
final class EventDrafts {

	/** Within the range of the database, and with a year of four digits in every text. */
	private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

	private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

	/**
	 * The most characters of names and values. Far below the size of a row that can still
	 * be read, and usually more than a NATS message may hold.
	 */
	private static final int MAX_HEADERS = 1024 * 1024;

	private final EventWriter writer;

	private final String source;

	private final Clock clock;

	EventDrafts(EventWriter writer, String source, Clock clock) {
		this.writer = writer;
		this.source = source;
		this.clock = clock;
	}

	List<Event<String>> complete(TenantId tenantId, String streamId, List<NewEvent> events) {
		if (streamId.isBlank()) {
			throw new InvalidEventException("The stream's id " + Quoted.of(streamId)
					+ " is blank. Consider a category and an id, such as 'order-4711'.");
		}
		if (events.isEmpty()) {
			throw new InvalidEventException("There is no event to append to stream " + Quoted.of(streamId)
					+ ". Consider not appending when nothing happened.");
		}
		EventContext context = EventContext.current();
		Instant now = this.clock.instant();
		return events.stream().map((event) -> complete(tenantId, streamId, event, context, now)).toList();
	}

	private Event<String> complete(TenantId tenantId, String streamId, NewEvent event, EventContext context,
			Instant now) {
		if (event.headers().size() > MAX_HEADERS) {
			throw new InvalidEventException("The headers of event '" + event.id() + "' have " + event.headers().size()
					+ " characters. Consider at most " + MAX_HEADERS + ", and the payload for large data.");
		}
		UnboundPayload written = written(event);
		EventBuilder<String> builder = Event.builder(tenantId, json(event, written))
			.id(event.id())
			.type(event.type())
			.typeVersion(written.version())
			.source(this.source)
			.time(time(event, (event.occurredAt() != null) ? event.occurredAt() : now))
			.streamId(streamId)
			.key(event.key())
			.correlationId(event.correlationId())
			.causationId(event.causationId())
			.context(context);
		event.headers().toMap().forEach((name, values) -> values.forEach((value) -> builder.header(name, value)));
		return builder.build();
	}

	/**
	 * Truncated to the precision of the database, which would round up, into the future.
	 */
	private static Instant time(NewEvent event, Instant given) {
		Instant time = given.truncatedTo(ChronoUnit.MICROS);
		if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
			throw new InvalidEventException(
					"Event '" + event.id() + "' occurred at '" + given + "'. Consider a time in the years 1 to 9999.");
		}
		return time;
	}

	private UnboundPayload written(NewEvent event) {
		this.writer.requireOneClass(event.type(), event.payload());
		return this.writer.written(event.type(), event.payload());
	}

	private static String json(NewEvent event, UnboundPayload written) {
		try {
			return StorableJson.of(written.bytes());
		}
		catch (StorableJson.Refused ex) {
			throw new PayloadWritingException("The payload of event '" + event.id() + "' of type "
					+ Quoted.of(event.type()) + " cannot be stored: it " + ex.problem() + ".");
		}
	}

}
