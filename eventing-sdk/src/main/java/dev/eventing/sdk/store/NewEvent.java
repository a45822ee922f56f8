package dev.eventing.sdk.store;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventTypes;
import dev.eventing.sdk.event.UuidV7;
import org.jspecify.annotations.Nullable;

/**
 * An event to append. Its attributes are checked by the append.
 *
 * @param id the identity, unique within the tenant
 * @param type the name of the type on the wire
 * @param payload the content: an object that Jackson can write, or an
 * {@link dev.eventing.sdk.event.UnboundPayload}
 * @param occurredAt when it happened; null means the time of the append. Stored with
 * microsecond precision.
 * @param key the ordering key, or null: then the stream id is the key
 * @param correlationId the id that all events of one business transaction share; null
 * means that of the context
 * @param causationId the event or command that caused it; null means that of the context
 * @param headers further headers
 */
public record NewEvent(UUID id, String type, Object payload, @Nullable Instant occurredAt, @Nullable String key,
		@Nullable String correlationId, @Nullable String causationId, EventHeaders headers) {

	public NewEvent {
		Objects.requireNonNull(id, "id");
		Objects.requireNonNull(type, "type");
		Objects.requireNonNull(payload, "payload");
		Objects.requireNonNull(headers, "headers");
	}

	/**
	 * An event with a new {@link UuidV7} and the type
	 * {@link EventTypes#nameOfPayload(Object)}.
	 * @throws dev.eventing.sdk.event.InvalidEventException if the payload's class has no
	 * name as an event, or the payload is a text, a number or another value of the JDK
	 */
	public static NewEvent of(Object payload) {
		return new NewEvent(UuidV7.next(), EventTypes.nameOfPayload(payload), payload, null, null, null, null,
				EventHeaders.empty());
	}

	/** The same event with a given identity, such as that of a command. */
	public NewEvent withId(UUID id) {
		return new NewEvent(id, this.type, this.payload, this.occurredAt, this.key, this.correlationId,
				this.causationId, this.headers);
	}

	public NewEvent withType(String type) {
		return new NewEvent(this.id, type, this.payload, this.occurredAt, this.key, this.correlationId,
				this.causationId, this.headers);
	}

	public NewEvent withOccurredAt(Instant occurredAt) {
		return new NewEvent(this.id, this.type, this.payload, occurredAt, this.key, this.correlationId,
				this.causationId, this.headers);
	}

	public NewEvent withKey(String key) {
		return new NewEvent(this.id, this.type, this.payload, this.occurredAt, key, this.correlationId,
				this.causationId, this.headers);
	}

	public NewEvent withCorrelationId(String correlationId) {
		return new NewEvent(this.id, this.type, this.payload, this.occurredAt, this.key, correlationId,
				this.causationId, this.headers);
	}

	public NewEvent withCausationId(String causationId) {
		return new NewEvent(this.id, this.type, this.payload, this.occurredAt, this.key, this.correlationId,
				causationId, this.headers);
	}

	/** The same event with one more header, such as {@code traceparent}. */
	public NewEvent withHeader(String name, String value) {
		return new NewEvent(this.id, this.type, this.payload, this.occurredAt, this.key, this.correlationId,
				this.causationId, this.headers.toBuilder().add(name, value).build());
	}

	/** Omits the payload and header values, which may be confidential. */
	@Override
	public String toString() {
		return "NewEvent[" + this.type + " " + this.id + "]";
	}

}
