package dev.eventing.sdk.event;

import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Writes events to the wire as CloudEvents in binary mode. Thread-safe. */
public final class EventWriter {

	private static final String SPEC_VERSION = "1.0";

	private final JsonMapper mapper;

	public EventWriter(JsonMapper mapper) {
		this.mapper = mapper;
	}

	/**
	 * The message id JetStream recognises duplicates by. It holds the tenant because the
	 * window is that of the stream, which tenants share.
	 */
	public static String messageId(TenantId tenantId, UUID eventId) {
		return tenantId + ":" + eventId;
	}

	/**
	 * Writes an event. Of its headers those go along that are neither the attributes
	 * themselves ({@code ce-}), nor orders to the server ({@code Nats-}), nor the content
	 * type.
	 * @param subject where it will be published
	 * @throws SubjectTemplate.InvalidSubjectException if nothing can be published there
	 * @throws InvalidEventException if a header has a name or value that cannot stand on
	 * the wire
	 * @throws PayloadWritingException if the payload cannot be written as JSON
	 */
	public RawEvent write(String subject, Event<?> event) {
		return write(subject, event, Map.of());
	}

	/**
	 * As {@link #write(String, Event)}, with further headers of the publisher's own in
	 * place of those of the event that have the same name.
	 */
	public RawEvent write(String subject, Event<?> event, Map<String, String> own) {
		SubjectTemplate.requireConcrete(subject);
		EventHeaders.Builder headers = EventHeaders.builder();
		passOn(event.headers(), headers);
		own.forEach(headers::set);
		headers.set("Nats-Msg-Id", messageId(event.tenantId(), event.id()));
		headers.set("Content-Type", "application/json");
		headers.set(Attribute.TENANT_HEADER, event.tenantId().value());
		put(headers, Attribute.SPEC_VERSION, SPEC_VERSION);
		put(headers, Attribute.ID, event.id().toString());
		put(headers, Attribute.TYPE, event.type());
		put(headers, Attribute.SOURCE, event.source());
		put(headers, Attribute.TIME, event.time().toString());
		put(headers, Attribute.STREAM_ID, event.streamId());
		put(headers, Attribute.STREAM_VERSION, text(event.streamVersion()));
		put(headers, Attribute.KEY, event.key());
		put(headers, Attribute.CORRELATION_ID, event.correlationId());
		put(headers, Attribute.CAUSATION_ID, event.causationId());
		return new RawEvent(subject, headers.build(), payload(event.payload()));
	}

	private static void put(EventHeaders.Builder headers, Attribute attribute, @Nullable String value) {
		headers.set(attribute.header(), (value != null) ? PercentCoding.encode(value) : null);
	}

	private static @Nullable String text(@Nullable Long number) {
		return (number != null) ? number.toString() : null;
	}

	private static void passOn(EventHeaders from, EventHeaders.Builder to) {
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
	 * The payload as a JSON text in UTF-8; the bytes of an {@link UnboundPayload} as they
	 * are.
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
