package dev.eventing.sdk.event;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import dev.eventing.sdk.event.EventVersions.UnusableStepException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A payload whose Java type is not known yet: the bytes of a JSON text, and the version
 * of the event type in which they were written. Thread-safe.
 */
public final class UnboundPayload {

	private static final String NOTHING = "{}";

	private final byte[] bytes;

	private final PayloadReaders readers;

	/** Null if it was not read from an event: then it is bound as it is. */
	private final @Nullable String eventType;

	private final TypeVersion version;

	private final boolean erased;

	UnboundPayload(byte[] bytes, PayloadReaders readers) {
		this(bytes, readers, null, TypeVersion.of(1), false);
	}

	private UnboundPayload(byte[] bytes, PayloadReaders readers, @Nullable String eventType, TypeVersion version,
			boolean erased) {
		this.bytes = bytes;
		this.readers = readers;
		this.eventType = eventType;
		this.version = version;
		this.erased = erased;
	}

	/**
	 * A payload that is bound later, as it is.
	 * @param json a JSON text in UTF-8; not copied, and not parsed yet
	 * @param mapper binds it
	 */
	public static UnboundPayload of(byte[] json, JsonMapper mapper) {
		return new UnboundPayload(json, PayloadReaders.of(mapper));
	}

	/**
	 * A payload that is bound later.
	 * @param json a JSON text in UTF-8; not copied, and not parsed yet
	 * @param mapper binds it
	 * @param versions raises it to the version of the class that it is bound to, once it
	 * is {@link #writtenAs known} as that of an event
	 */
	public static UnboundPayload of(byte[] json, JsonMapper mapper, EventVersions versions) {
		return new UnboundPayload(json, PayloadReaders.of(mapper, versions));
	}

	/**
	 * What is left of the payload of an event whose content was erased. Whatever it is
	 * bound to, the event counts as dropped.
	 * @param type the event's type
	 * @param mapper for payloads that {@link #replacedBy replace} it
	 */
	public static UnboundPayload erased(String type, JsonMapper mapper) {
		return new UnboundPayload(NOTHING.getBytes(StandardCharsets.US_ASCII), PayloadReaders.of(mapper), type,
				TypeVersion.of(1), true);
	}

	/**
	 * The same payload as that of an event.
	 * @param type the event's type
	 * @param typeVersion the version of the type in which it was written
	 * @throws InvalidEventException if the version is below 1
	 */
	public UnboundPayload writtenAs(String type, int typeVersion) {
		EventClass.requireVersion(typeVersion);
		return writtenAs(type, TypeVersion.of(typeVersion));
	}

	/** The same payload as that of an event, in a version that may be none of the SDK. */
	UnboundPayload writtenAs(String type, TypeVersion typeVersion) {
		return new UnboundPayload(this.bytes, this.readers, type, typeVersion, this.erased);
	}

	/**
	 * Another payload of the same version that is bound in the same way.
	 * @param json a JSON text in UTF-8; not copied, and not parsed yet
	 */
	public UnboundPayload replacedBy(byte[] json) {
		return new UnboundPayload(json, this.readers, this.eventType, this.version, false);
	}

	/** The bytes; not copied, so they must not be changed. */
	public byte[] bytes() {
		return this.bytes;
	}

	/** The version of the event type in which it was written; 1 if nothing is known. */
	public int version() {
		return Math.max(1, this.version.number());
	}

	/** The version as its publisher wrote it; null for 1. */
	@Nullable String versionText() {
		if (!this.version.isCertain()) {
			return this.version.text();
		}
		return (this.version.number() > 1) ? Integer.toString(this.version.number()) : null;
	}

	/**
	 * Whether the content of the event was erased from the event store. Then there is
	 * nothing to bind.
	 */
	public boolean isErased() {
		return this.erased;
	}

	/**
	 * Binds the payload to a type. Each call creates a new object. If the type is a class
	 * of the event's type, the payload is raised to the version of the class before.
	 * @param type a class or a generic type, such as {@code Map} or {@code JsonNode}
	 * @throws PayloadBindingException if the payload does not fit the type, is not JSON,
	 * is empty, or is JSON null; or if it cannot be raised
	 * @throws NewerEventException if the class has a lower version than the payload
	 * @throws DroppedEventException if an upcaster drops the event, or it was erased
	 */
	@SuppressWarnings("TypeParameterUnusedInFormals")
	public <T> T bind(Type type) {
		byte[] current = raised(type);
		if (current == null) {
			throw this.erased ? DroppedEventException.erased(String.valueOf(this.eventType))
					: new DroppedEventException(String.valueOf(this.eventType), version());
		}
		return bind(current, type);
	}

	/**
	 * Binds the payload as {@link #bind} does. Empty if an upcaster drops the event, or
	 * it was erased.
	 */
	@SuppressWarnings("TypeParameterUnusedInFormals")
	public <T> Optional<T> bindKept(Type type) {
		byte[] current = raised(type);
		return (current != null) ? Optional.of(bind(current, type)) : Optional.empty();
	}

	/**
	 * Why this node's code cannot read the payload as this type: its class has a lower
	 * version. Null if it has not.
	 */
	public @Nullable NewerEventException newerThan(Type type) {
		// Most events are of version 1, which no class is below.
		if (this.version.number() <= 1 || this.eventType == null || !this.version.isCertain()) {
			return null;
		}
		EventClass known = EventClass.of(type);
		return (known.version() < version() && known.isOf(this.eventType))
				? new NewerEventException(this.eventType, version(), known) : null;
	}

	/**
	 * The bytes in the version of a class; null if an upcaster drops the event, or it was
	 * erased.
	 */
	private byte @Nullable [] raised(Type type) {
		if (this.erased) {
			return null;
		}
		EventClass to = EventClass.of(type);
		if (this.eventType == null || !to.isOf(this.eventType) || this.version.fits(to.version())) {
			return this.bytes;
		}
		requireKnown(to, type, this.eventType);
		JsonNode payload = bind(this.bytes, JsonNode.class);
		try {
			JsonNode raised = this.readers.versions().upcast(to, version(), payload);
			// As bytes again: an old event is bound by the same rules as a new one.
			return (raised != null) ? this.readers.mapper().writeValueAsBytes(raised) : null;
		}
		catch (UnusableStepException ex) {
			throw new PayloadBindingException(type, String.valueOf(ex.getMessage()));
		}
		catch (JacksonException ex) {
			throw new PayloadBindingException(type, ex.getClass().getSimpleName() + JsonPlace.of(ex));
		}
	}

	private void requireKnown(EventClass to, Type type, String event) {
		int number = this.version.number();
		if (!this.version.isCertain() && (number < 1 || number > to.version())) {
			throw new PayloadBindingException(type, "its version " + Quoted.of(String.valueOf(this.version.text()))
					+ " is no whole number from 1 to " + to.version() + ", which is that of the class");
		}
		if (number > to.version()) {
			throw new NewerEventException(event, number, to);
		}
	}

	@SuppressWarnings({ "unchecked", "TypeParameterUnusedInFormals" })
	private <T> T bind(byte[] json, Type type) {
		Object value = read(json, type);
		if (value == null) {
			throw new PayloadBindingException(type, "it is empty or JSON null");
		}
		return (T) value;
	}

	private @Nullable Object read(byte[] json, Type type) {
		try {
			return this.readers.read(json, type);
		}
		catch (JacksonException ex) {
			throw new PayloadBindingException(type, ex.getClass().getSimpleName() + JsonPlace.withType(ex));
		}
		catch (RuntimeException ex) {
			// Thrown by code of the type itself, and not wrapped by Jackson.
			throw new PayloadBindingException(type, ex.getClass().getName());
		}
	}

	/** Shows the size only. */
	@Override
	public String toString() {
		return "UnboundPayload[bytes=" + this.bytes.length + "]";
	}

}
