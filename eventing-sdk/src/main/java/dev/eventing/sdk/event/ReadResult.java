package dev.eventing.sdk.event;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** What reading an event from the wire came to. */
public sealed interface ReadResult {

	/**
	 * The envelope is understood and its tenant is certain. The payload is bound later,
	 * when its type is known.
	 *
	 * @param event the event
	 */
	@SuppressWarnings("JavaLangClash")
	record Readable(Event<UnboundPayload> event) implements ReadResult {

	}

	/**
	 * The event cannot be told from its bytes, now or later: it belongs to the dead
	 * letters. What could be told goes along.
	 *
	 * @param reason why
	 * @param detail what is wrong with names and values of the metadata quoted, and what
	 * to change; never a piece of the payload
	 * @param eventId the id, or null
	 * @param tenantId the tenant all places agree on, or null; null after a mismatch,
	 * because then none can be trusted
	 * @param type the type, or null
	 * @param key what order would be kept by (the key, else the stream id), or null
	 */
	record Unreadable(Reason reason, String detail, @Nullable UUID eventId, @Nullable TenantId tenantId,
			@Nullable String type, @Nullable String key) implements ReadResult {

	}

	/** Why an event is unreadable. */
	enum Reason {

		/** The body had to be JSON to be understood and is not. */
		NOT_JSON,

		/** There is no id. */
		NO_ID,

		/** There is no type. */
		NO_TYPE,

		/** Neither subject nor headers nor body name a tenant. */
		NO_TENANT,

		/** Two places name different tenants. */
		TENANT_MISMATCH,

		/** A place names a tenant that is no {@link TenantId}. */
		INVALID_TENANT,

		/** A header, or an attribute of the envelope in the body, is malformed. */
		INVALID_HEADER,

		/** The key expression of the projector fails on the event. */
		INVALID_KEY,

		/** A number in the body is beyond all that can be computed with. */
		INVALID_NUMBER,

		/** A wire form or version that is not read. */
		UNSUPPORTED,

		/** A row of the event store that is no event which can be read. */
		STORED_ROW,

		/** A defect of the reader itself: the event may be fine. */
		INTERNAL_ERROR

	}

}
