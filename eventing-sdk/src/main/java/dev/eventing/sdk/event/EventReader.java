package dev.eventing.sdk.event;

import java.time.Instant;

import dev.eventing.sdk.event.ReadResult.Reason;
import dev.eventing.sdk.event.ReadResult.Unreadable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads events from the wire: CloudEvents in binary and structured mode, and a JSON
 * envelope for publishers that set no headers. Subject, headers and body must agree on
 * the tenant. Thread-safe.
 */
public final class EventReader {

	private static final WireForm BINARY = new BinaryForm();

	private static final WireForm STRUCTURED = new StructuredForm();

	private static final WireForm ENVELOPE = new EnvelopeForm();

	private final PayloadReaders payloads;

	/**
	 * Creates a reader without upcasters.
	 * @param mapper binds a payload when a handler asks for it
	 */
	public EventReader(JsonMapper mapper) {
		this(mapper, EventVersions.NONE);
	}

	/**
	 * Creates a reader.
	 * @param mapper binds a payload when a handler asks for it
	 * @param versions raises payloads of earlier versions before they are bound
	 */
	public EventReader(JsonMapper mapper, EventVersions versions) {
		this.payloads = PayloadReaders.of(mapper, versions);
	}

	/**
	 * Reads an event. Never throws. In binary mode it does not parse the body.
	 * @param raw the event as received
	 * @param subjectTenant finds the tenant in the subject, given the event's type
	 * @param received when the stream stored the event; used as the time of an event that
	 * has none
	 */
	public ReadResult read(RawEvent raw, SubjectTenant subjectTenant, Instant received) {
		try {
			String malformation = raw.headers().malformation();
			if (malformation != null) {
				return malformed(malformation);
			}
			Attributes attributes = new Attributes();
			BinaryForm.claimTenants(raw.headers(), attributes.tenants());
			if (raw.isWithoutItsBody()) {
				attributes.error(Reason.INVALID_HEADER, bodyLeftOut(raw));
			}
			byte[] payload = formOf(raw.headers()).read(raw, attributes);
			String token = subjectTenant.of(attributes.get(Attribute.TYPE));
			if (token != null) {
				attributes.tenants().addFirst("the subject", token);
			}
			return EventAssembly.assemble(attributes, raw.headers(), new UnboundPayload(payload, this.payloads),
					received);
		}
		catch (RuntimeException ex) {
			// A defect in this code must also lead to a dead letter, not to endless
			// redelivery.
			return new Unreadable(Reason.INTERNAL_ERROR,
					"Reading failed with " + ex.getClass().getName() + ". Consider reporting it as a defect.", null,
					null, null, null);
		}
	}

	private static Unreadable malformed(String malformation) {
		return new Unreadable(Reason.INVALID_HEADER,
				"The headers cannot be read: " + malformation + ". Their bytes are kept in the header '"
						+ EventHeaders.MALFORMED + "'. Consider publishing the event again with headers of"
						+ " visible ASCII characters.",
				null, null, null, null);
	}

	private static String bodyLeftOut(RawEvent raw) {
		return "The header '" + RawEvent.SIZE + "' is " + Quoted.of(String.valueOf(raw.headers().first(RawEvent.SIZE)))
				+ ", but the stream has no body: it was left out before the stream stored the event."
				+ " Consider a republish, mirror or publisher that keeps the body.";
	}

	private static WireForm formOf(EventHeaders headers) {
		if (StructuredForm.isIn(headers)) {
			return STRUCTURED;
		}
		return Attribute.areIn(headers) ? BINARY : ENVELOPE;
	}

}
