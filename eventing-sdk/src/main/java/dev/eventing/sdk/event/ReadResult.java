package dev.eventing.sdk.event;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** The result of reading an event from the wire. */
public sealed interface ReadResult {

	/**
	 * The envelope is readable and its tenant is certain. The payload is bound later,
	 * when its type is known.
	 *
	 * @param event the event
	 */
	@SuppressWarnings("JavaLangClash")
	record Readable(Event<UnboundPayload> event) implements ReadResult {

	}

	/**
	 * The event cannot be read from its bytes, now or later, so it becomes a dead letter.
	 * The attributes that could be read are included.
	 *
	 * @param reason the kind of error
	 * @param detail what is wrong, with names and values of the metadata quoted, and what
	 * to change; never any part of the payload
	 * @param eventId the id, or null
	 * @param tenantId the tenant that all places agree on, or null; null after a
	 * mismatch, because then no place can be trusted
	 * @param type the type, or null
	 * @param key the ordering key (the key, else the stream id), or null; null if the
	 * event has a key that cannot be read
	 */
	record Unreadable(Reason reason, String detail, @Nullable UUID eventId, @Nullable TenantId tenantId,
			@Nullable String type, @Nullable String key) implements ReadResult {

	}

	/** Why an event is unreadable. */
	enum Reason {

		/** The body has to be JSON and is not. */
		NOT_JSON,

		/** There is no id. */
		NO_ID,

		/** There is no type. */
		NO_TYPE,

		/** Neither subject nor headers nor body name a tenant. */
		NO_TENANT,

		/** Two places name different tenants. */
		TENANT_MISMATCH,

		/** A place names a tenant that is not a valid {@link TenantId}. */
		INVALID_TENANT,

		/** A header, or an attribute of the envelope in the body, is malformed. */
		INVALID_HEADER,

		/** The key expression of the projector fails on the event. */
		INVALID_KEY,

		/** A number in the body is too large or too small to compute with. */
		INVALID_NUMBER,

		/** The reader does not support the wire form or version. */
		UNSUPPORTED,

		/** A row of the event store does not hold a readable event. */
		STORED_ROW,

		/** A defect of the reader itself: the event may be fine. */
		INTERNAL_ERROR

	}

}
