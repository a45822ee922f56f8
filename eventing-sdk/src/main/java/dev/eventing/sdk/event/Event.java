package dev.eventing.sdk.event;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * An event: its payload and the attributes of its envelope. The payload has the type that
 * the handler declares. A text holds at most 512 characters of valid Unicode without
 * U+0000, so that every event can be stored. Where the source, stream id or key of a
 * received event is another text, it is cut to that, and ends with {@code ~} and a UUID
 * of the whole, so that texts which differ stay different. An empty optional text counts
 * as null. Create one with {@link #builder}. It is immutable if its payload is.
 *
 * @param <E> the payload's type
 */
public final class Event<E> {

	private final UUID id;

	private final String type;

	private final int typeVersion;

	private final TenantId tenantId;

	private final String source;

	private final Instant time;

	private final @Nullable String streamId;

	private final @Nullable Long streamVersion;

	private final @Nullable String key;

	private final @Nullable String correlationId;

	private final @Nullable String causationId;

	private final EventHeaders headers;

	private final E payload;

	/** Does not check the texts. */
	Event(EventBuilder<E> said, UUID id, String type, Instant time) {
		this.id = id;
		this.type = type;
		this.tenantId = Objects.requireNonNull(said.tenantId, "tenantId");
		this.source = said.source;
		this.time = time;
		this.payload = Objects.requireNonNull(said.payload, "payload");
		this.typeVersion = versionOf(this.payload, type, said.typeVersion);
		this.headers = said.headers();
		this.streamId = textOrNull(said.streamId);
		this.streamVersion = said.streamVersion;
		this.key = textOrNull(said.key);
		this.correlationId = textOrNull(said.correlationId());
		this.causationId = textOrNull(said.causationId());
	}

	private Event(Event<?> other, E payload) {
		this.id = other.id;
		this.type = other.type;
		this.tenantId = other.tenantId;
		this.source = other.source;
		this.time = other.time;
		this.streamId = other.streamId;
		this.streamVersion = other.streamVersion;
		this.key = other.key;
		this.correlationId = other.correlationId;
		this.causationId = other.causationId;
		this.headers = other.headers;
		this.payload = Objects.requireNonNull(payload, "payload");
		this.typeVersion = versionOf(this.payload, other.type, other.typeVersion);
	}

	/** The payload knows its version if it is of a class of the type, or unbound. */
	private static int versionOf(Object payload, String type, int said) {
		if (payload instanceof UnboundPayload unbound) {
			return unbound.version();
		}
		EventClass own = EventClass.of(payload.getClass());
		return own.isOf(type) ? own.version() : said;
	}

	/** Starts an event of this tenant. Attributes that are not set have defaults. */
	public static <E> EventBuilder<E> builder(TenantId tenantId, E payload) {
		return new EventBuilder<>(tenantId, payload);
	}

	/**
	 * Checks the version and the texts.
	 * @throws InvalidEventException if a text is not valid, type or source are blank, or
	 * the version is below 1
	 */
	void requireValid() {
		EventClass.requireVersion(this.typeVersion);
		requireName("type", this.type);
		requireName("source", this.source);
		requireText("streamId", this.streamId);
		requireText("key", this.key);
		requireText("correlationId", this.correlationId);
		requireText("causationId", this.causationId);
	}

	private static void requireName(String name, String text) {
		if (text.isBlank()) {
			throw new InvalidEventException(
					"The event's " + name + " " + Quoted.of(text) + " is blank. Consider a name.");
		}
		requireText(name, text);
	}

	private static void requireText(String name, @Nullable String text) {
		String problem = (text != null) ? AttributeText.problem(text) : null;
		if (text != null && problem != null) {
			throw new InvalidEventException("The event's " + name + " " + Quoted.of(text) + " " + problem + ".");
		}
	}

	private static @Nullable String textOrNull(@Nullable String text) {
		return (text == null || text.isEmpty()) ? null : text;
	}

	/** The identity, unique within the tenant; projectors recognise duplicates by it. */
	public UUID id() {
		return this.id;
	}

	/** The name of the type on the wire, such as {@code order.placed}. */
	public String type() {
		return this.type;
	}

	/**
	 * The version of the type in which the payload is: that of the payload's class if it
	 * is a class of the type, else the version in which it was written. It is 1 if the
	 * publisher wrote what is no version, which {@link #headers} has.
	 */
	public int typeVersion() {
		return this.typeVersion;
	}

	/** The tenant it belongs to. */
	public TenantId tenantId() {
		return this.tenantId;
	}

	/**
	 * The producer (CloudEvents {@code source}): any text, also one that is no URI.
	 */
	public String source() {
		return this.source;
	}

	/** When it happened. */
	public Instant time() {
		return this.time;
	}

	/** The stream (aggregate) it belongs to, or null. */
	public @Nullable String streamId() {
		return this.streamId;
	}

	/** Its version in that stream, or null. */
	public @Nullable Long streamVersion() {
		return this.streamVersion;
	}

	/** The ordering key, or null: then the stream id is the key. */
	public @Nullable String key() {
		return this.key;
	}

	/** The id that all events of one business transaction share, or null. */
	public @Nullable String correlationId() {
		return this.correlationId;
	}

	/** The event or command that caused it, or null. */
	public @Nullable String causationId() {
		return this.causationId;
	}

	/** All headers it arrived with, including those of the attributes. */
	public EventHeaders headers() {
		return this.headers;
	}

	/** The content. */
	public E payload() {
		return this.payload;
	}

	/** The ordering key: the key if one was set, else the stream id, else null. */
	public @Nullable String orderingKey() {
		return (this.key != null) ? this.key : this.streamId;
	}

	/** The same event with another payload. */
	public <T> Event<T> map(Function<? super E, ? extends T> change) {
		return new Event<>(this, change.apply(this.payload));
	}

	/** Starts a copy with the same attributes, including id and time. */
	public EventBuilder<E> toBuilder() {
		return new EventBuilder<>(this.tenantId, this.payload).id(this.id)
			.type(this.type)
			.typeVersion(this.typeVersion)
			.source(this.source)
			.time(this.time)
			.streamId(this.streamId)
			.streamVersion(this.streamVersion)
			.key(this.key)
			.correlationId(this.correlationId)
			.causationId(this.causationId)
			.headers(this.headers);
	}

	/** Whether all attributes and the payload are equal. */
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Event<?> that && this.id.equals(that.id) && this.type.equals(that.type)
				&& this.typeVersion == that.typeVersion && this.tenantId.equals(that.tenantId)
				&& this.source.equals(that.source) && this.time.equals(that.time)
				&& Objects.equals(this.streamId, that.streamId)
				&& Objects.equals(this.streamVersion, that.streamVersion) && Objects.equals(this.key, that.key)
				&& Objects.equals(this.correlationId, that.correlationId)
				&& Objects.equals(this.causationId, that.causationId) && this.headers.equals(that.headers)
				&& this.payload.equals(that.payload);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.id, this.tenantId);
	}

	/**
	 * Omits the payload and header values, which may be confidential, and escapes control
	 * characters, which could forge a log line.
	 */
	@Override
	public String toString() {
		return "Event[" + Quoted.plain(this.type) + " " + this.id + " of tenant " + this.tenantId + "]";
	}

}
