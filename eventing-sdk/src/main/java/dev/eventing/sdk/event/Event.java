package dev.eventing.sdk.event;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A fact that happened, with what the envelope says about it. The payload is of the type
 * its handler asks for. Texts hold at most 512 characters of valid Unicode without
 * U+0000, so that every event can be stored; an empty text counts as null.
 *
 * @param <E> the payload's type
 * @param id the identity that idempotency is kept by, unique within its tenant
 * @param type the name of the type on the wire, such as {@code order.placed}
 * @param tenantId whose event it is
 * @param source who produced it (CloudEvents {@code source})
 * @param time when it happened
 * @param streamId the stream (aggregate) it belongs to, or null
 * @param streamVersion its place in that stream, or null
 * @param key what order is kept by, or null: then the stream id is the key
 * @param correlationId the conversation it belongs to, or null
 * @param causationId the event or command that caused it, or null
 * @param headers all headers it came with, those already named above included
 * @param payload the event itself
 */
public record Event<E>(UUID id, String type, TenantId tenantId, String source, Instant time, @Nullable String streamId,
		@Nullable Long streamVersion, @Nullable String key, @Nullable String correlationId,
		@Nullable String causationId, EventHeaders headers, E payload) {

	/**
	 * Checks the attributes.
	 * @throws InvalidEventException if a text is not valid, or type or source are blank
	 */
	public Event {
		Objects.requireNonNull(id, "id");
		Objects.requireNonNull(tenantId, "tenantId");
		Objects.requireNonNull(time, "time");
		Objects.requireNonNull(headers, "headers");
		Objects.requireNonNull(payload, "payload");
		requireText("type", type);
		requireText("source", source);
		streamId = optionalText("streamId", streamId);
		key = optionalText("key", key);
		correlationId = optionalText("correlationId", correlationId);
		causationId = optionalText("causationId", causationId);
	}

	/** Starts an event of this tenant; what is not set has a default. */
	public static <E> EventBuilder<E> builder(TenantId tenantId, E payload) {
		return new EventBuilder<>(tenantId, payload);
	}

	private static void requireText(String name, String text) {
		if (text.isBlank()) {
			throw new InvalidEventException(
					"The event's " + name + " " + Quoted.of(text) + " is blank. Consider a name.");
		}
		optionalText(name, text);
	}

	private static @Nullable String optionalText(String name, @Nullable String text) {
		if (text == null || text.isEmpty()) {
			return null;
		}
		String problem = AttributeText.problem(text);
		if (problem != null) {
			throw new InvalidEventException("The event's " + name + " " + Quoted.of(text) + " " + problem + ".");
		}
		return text;
	}

	/** What order is kept by: the key if one was set, else the stream id, else null. */
	public @Nullable String orderingKey() {
		return (this.key != null) ? this.key : this.streamId;
	}

	/** The same event around another payload. */
	public <T> Event<T> map(Function<? super E, ? extends T> change) {
		return new Event<>(this.id, this.type, this.tenantId, this.source, this.time, this.streamId, this.streamVersion,
				this.key, this.correlationId, this.causationId, this.headers, change.apply(this.payload));
	}

	/**
	 * Never shows the payload or header values, which may be confidential, nor control
	 * characters, which could forge a line of a log.
	 */
	@Override
	public String toString() {
		return "Event[" + Quoted.plain(this.type) + " " + this.id + " of tenant " + this.tenantId + "]";
	}

}
