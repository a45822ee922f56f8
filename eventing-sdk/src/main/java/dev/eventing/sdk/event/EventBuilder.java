package dev.eventing.sdk.event;

import java.time.Clock;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Builds events. Every attribute except tenant and payload has a default. One builder can
 * build several events; each gets its own id unless an id was set. Not thread-safe.
 *
 * @param <E> the payload's type
 */
public final class EventBuilder<E> {

	/** The source of events that set none. */
	public static final String DEFAULT_SOURCE = "eventing-sdk";

	final TenantId tenantId;

	final E payload;

	/** Headers that were set at once, or null. */
	private @Nullable EventHeaders headers;

	/** Headers that were added one by one, or null. */
	private EventHeaders.@Nullable Builder added;

	private Clock clock = Clock.systemUTC();

	String source = DEFAULT_SOURCE;

	private @Nullable UUID id;

	private @Nullable String type;

	int typeVersion = 1;

	private @Nullable Instant time;

	@Nullable String streamId;

	@Nullable Long streamVersion;

	@Nullable String key;

	private @Nullable String correlationId;

	private @Nullable String causationId;

	private EventContext context = EventContext.NONE;

	EventBuilder(TenantId tenantId, E payload) {
		this.tenantId = tenantId;
		this.payload = payload;
	}

	/** The identity; by default a new {@link UuidV7}. */
	public EventBuilder<E> id(@Nullable UUID id) {
		this.id = id;
		return this;
	}

	/** The name of the type; by default {@link EventTypes#nameOfPayload}. */
	public EventBuilder<E> type(@Nullable String type) {
		this.type = type;
		return this;
	}

	/**
	 * The version of the type in which the payload is, from 1 on; by default 1. Has no
	 * effect if the payload's class is a class of the type, or the payload is an
	 * {@link UnboundPayload}: these have a version of their own.
	 */
	public EventBuilder<E> typeVersion(int typeVersion) {
		this.typeVersion = typeVersion;
		return this;
	}

	/** The producer; by default {@value #DEFAULT_SOURCE}. */
	public EventBuilder<E> source(String source) {
		this.source = source;
		return this;
	}

	/** When it happened; by default the clock's time of {@link #build}. */
	public EventBuilder<E> time(@Nullable Instant time) {
		this.time = time;
		return this;
	}

	/**
	 * The clock that sets the time of an event without one; by default the system's
	 * clock.
	 */
	public EventBuilder<E> clock(Clock clock) {
		this.clock = clock;
		return this;
	}

	/** The stream (aggregate) it belongs to. */
	public EventBuilder<E> streamId(@Nullable String streamId) {
		this.streamId = streamId;
		return this;
	}

	/** Its version in that stream. */
	public EventBuilder<E> streamVersion(@Nullable Long streamVersion) {
		this.streamVersion = streamVersion;
		return this;
	}

	/** The ordering key, if it is not the stream id. */
	public EventBuilder<E> key(@Nullable String key) {
		this.key = key;
		return this;
	}

	/** The id that all events of one business transaction share. */
	public EventBuilder<E> correlationId(@Nullable String correlationId) {
		this.correlationId = correlationId;
		return this;
	}

	/** The event or command that caused it. */
	public EventBuilder<E> causationId(@Nullable String causationId) {
		this.causationId = causationId;
		return this;
	}

	/**
	 * Supplies correlation, cause and actor, each only if the event does not set it. By
	 * default none.
	 */
	public EventBuilder<E> context(EventContext context) {
		this.context = context;
		return this;
	}

	/**
	 * Adds a header such as {@code traceparent}.
	 * @throws InvalidEventException if a NATS header cannot hold the name or the value
	 */
	public EventBuilder<E> header(String name, String value) {
		HeaderText.require(name, value);
		EventHeaders.Builder all = this.added;
		if (all == null) {
			all = (this.headers != null) ? this.headers.toBuilder() : EventHeaders.builder();
			this.added = all;
		}
		all.add(name, value);
		return this;
	}

	/** Replaces all headers that were set before. */
	public EventBuilder<E> headers(EventHeaders headers) {
		this.headers = headers;
		this.added = null;
		return this;
	}

	/**
	 * Builds the event.
	 * @throws InvalidEventException if an attribute is not valid
	 */
	public Event<E> build() {
		Event<E> event = buildUnchecked();
		event.requireValid();
		return event;
	}

	/**
	 * Builds an event of texts that were checked when they were read: none is longer than
	 * an attribute may be or has characters that cannot be stored, and neither type nor
	 * source is blank.
	 */
	Event<E> buildUnchecked() {
		return new Event<>(this, (this.id != null) ? this.id : UuidV7.next(),
				(this.type != null) ? this.type : EventTypes.nameOfPayload(this.payload),
				(this.time != null) ? this.time : this.clock.instant());
	}

	@Nullable String correlationId() {
		return either(this.correlationId, this.context.correlationId());
	}

	@Nullable String causationId() {
		return either(this.causationId, this.context.causationId());
	}

	private static @Nullable String either(@Nullable String own, @Nullable String other) {
		return (own != null && !own.isEmpty()) ? own : other;
	}

	/** All headers, with the actor of the context. */
	EventHeaders headers() {
		EventHeaders own = said();
		String actor = this.context.actor();
		if (actor == null || own.first(EventContext.ACTOR_HEADER) != null) {
			return own;
		}
		return own.toBuilder().set(EventContext.ACTOR_HEADER, PercentCoding.encode(actor)).build();
	}

	private EventHeaders said() {
		if (this.added != null) {
			return this.added.build();
		}
		return (this.headers != null) ? this.headers : EventHeaders.empty();
	}

}
