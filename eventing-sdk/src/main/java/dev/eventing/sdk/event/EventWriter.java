package dev.eventing.sdk.event;

import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.event.EventVersions.UnusableStepException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes events to the wire as CloudEvents in binary mode. Thread-safe. */
public final class EventWriter {

	private static final String SPEC_VERSION = "1.0";

	private final JsonMapper mapper;

	private final EventVersions versions;

	private final EventClasses classes = new EventClasses();

	/** Writes events in the version of their class. */
	public EventWriter(JsonMapper mapper) {
		this(mapper, EventVersions.NONE);
	}

	/**
	 * Creates a writer.
	 * @param mapper writes payloads
	 * @param versions the versions in which events are written
	 */
	public EventWriter(JsonMapper mapper, EventVersions versions) {
		this.mapper = mapper;
		this.versions = versions;
	}

	/** The versions of the event types of the application. */
	public EventVersions versions() {
		return this.versions;
	}

	/**
	 * The message id by which JetStream recognises duplicates. It contains the tenant
	 * because all tenants share the stream and its duplicate window.
	 */
	public static String messageId(TenantId tenantId, UUID eventId) {
		return tenantId + ":" + eventId;
	}

	/**
	 * Writes an event. Its headers are copied, except those of attributes ({@code ce-}),
	 * those that instruct the server ({@code Nats-}) and the content type.
	 * @param subject the subject to publish to
	 * @throws SubjectTemplate.InvalidSubjectException if no event can be published to the
	 * subject
	 * @throws InvalidEventException if a NATS header cannot hold the name or the value of
	 * a header, or the event's type is that of another class, see
	 * {@link #requireOneClass}
	 * @throws PayloadWritingException if the payload cannot be written as JSON
	 */
	public RawEvent write(String subject, Event<?> event) {
		return write(subject, event, Map.of());
	}

	/**
	 * As {@link #write(String, Event)}, with additional headers of the publisher. These
	 * replace headers of the event that have the same name.
	 * @param own no header that this method writes itself; the values must be valid in a
	 * NATS header
	 */
	public RawEvent write(String subject, Event<?> event, Map<String, String> own) {
		SubjectTemplate.requireConcrete(subject);
		requireOneClass(event.type(), event.payload());
		UnboundPayload written = written(event.type(), event.typeVersion(), event.payload());
		EventHeaders.Builder headers = EventHeaders.builder();
		passOn(event.headers(), headers);
		own.forEach(headers::set);
		// None of the names below can exist in the builder yet.
		headers.add("Nats-Msg-Id", messageId(event.tenantId(), event.id()));
		headers.add("Content-Type", "application/json");
		headers.add(Attribute.TENANT_HEADER, event.tenantId().value());
		headers.add(Attribute.SPEC_VERSION.header(), SPEC_VERSION);
		headers.add(Attribute.ID.header(), event.id().toString());
		add(headers, Attribute.TYPE, event.type());
		add(headers, Attribute.TYPE_VERSION, written.versionText());
		add(headers, Attribute.SOURCE, event.source());
		headers.add(Attribute.TIME.header(), event.time().toString());
		add(headers, Attribute.STREAM_ID, event.streamId());
		add(headers, Attribute.STREAM_VERSION, text(event.streamVersion()));
		add(headers, Attribute.KEY, event.key());
		add(headers, Attribute.CORRELATION_ID, event.correlationId());
		add(headers, Attribute.CAUSATION_ID, event.causationId());
		return new RawEvent(subject, headers.build(), written.bytes());
	}

	private static void add(EventHeaders.Builder headers, Attribute attribute, @Nullable String value) {
		if (value != null) {
			headers.add(attribute.header(), PercentCoding.encode(value));
		}
	}

	private static @Nullable String text(@Nullable Long number) {
		return (number != null) ? number.toString() : null;
	}

	private static void passOn(EventHeaders from, EventHeaders.Builder to) {
		if (from.isEmpty()) {
			return;
		}
		for (String name : from.names()) {
			String lower = name.toLowerCase(Locale.ROOT);
			if (lower.startsWith(Attribute.HEADER_PREFIX) || lower.startsWith("nats-")
					|| lower.equals("content-type")) {
				continue;
			}
			for (String value : from.all(name)) {
				HeaderText.require(name, value);
				to.add(name, value);
			}
		}
	}

	/**
	 * Adds a class that a handler of the application takes for events of a type. Events
	 * of that type are not written from another class then.
	 */
	public void handled(String type, Class<?> taken) {
		this.classes.handle(type, taken);
	}

	/**
	 * Refuses an event whose type is the name of its class and that of another class too,
	 * of which this writer has written an event, or which a handler takes: the handlers
	 * of the one would take the events of the other. A type that was given to the event
	 * otherwise is not checked.
	 * @throws InvalidEventException names both classes
	 */
	public void requireOneClass(String type, Object payload) {
		this.classes.requireOne(type, payload);
	}

	/**
	 * The payload as JSON text in UTF-8, with the version in which it is written; an
	 * {@link UnboundPayload} unchanged.
	 * @param type the event's type
	 * @throws PayloadWritingException if it cannot be written
	 */
	public UnboundPayload written(String type, Object payload) {
		return written(type, 1, payload);
	}

	/** With the version of a payload whose class is not one of the type. */
	private UnboundPayload written(String type, int said, Object payload) {
		if (payload instanceof UnboundPayload unbound) {
			return unbound;
		}
		EventClass own = EventClass.of(payload.getClass());
		if (!own.isOf(type)) {
			return unbound(type, said, payload(payload));
		}
		int version = this.versions.written(own);
		UnboundPayload current = unbound(type, own.version(), payload(payload));
		return (version < own.version()) ? unbound(type, version, lowered(own, version, current)) : current;
	}

	private UnboundPayload unbound(String type, int version, byte[] json) {
		return UnboundPayload.of(json, this.mapper, this.versions).writtenAs(type, version);
	}

	private byte[] lowered(EventClass own, int version, UnboundPayload current) {
		try {
			JsonNode payload = current.bind(JsonNode.class);
			return this.mapper.writeValueAsBytes(this.versions.downcast(own, version, payload));
		}
		catch (UnusableStepException ex) {
			throw new PayloadWritingException(own.type(), String.valueOf(ex.getMessage()));
		}
		catch (JacksonException ex) {
			throw new PayloadWritingException(own.type(), ex.getClass().getSimpleName() + JsonPlace.of(ex));
		}
	}

	/**
	 * The payload as JSON text in UTF-8, in the version of its class; the bytes of an
	 * {@link UnboundPayload} unchanged.
	 * @throws PayloadWritingException if it cannot be written
	 */
	public byte[] payload(Object payload) {
		if (payload instanceof UnboundPayload unbound) {
			return unbound.bytes();
		}
		try {
			return this.mapper.writeValueAsBytes(payload);
		}
		catch (JacksonException ex) {
			throw new PayloadWritingException(payload.getClass(), ex.getClass().getSimpleName() + JsonPlace.of(ex));
		}
	}

}
