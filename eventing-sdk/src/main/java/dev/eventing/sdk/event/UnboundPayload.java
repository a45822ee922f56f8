package dev.eventing.sdk.event;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** A payload whose Java type is not known yet: the bytes of a JSON text. Thread-safe. */
public final class UnboundPayload {

	private final byte[] bytes;

	private final PayloadReaders readers;

	UnboundPayload(byte[] bytes, PayloadReaders readers) {
		this.bytes = bytes;
		this.readers = readers;
	}

	/**
	 * A payload that is bound later.
	 * @param json a JSON text in UTF-8; not copied, and not parsed yet
	 * @param mapper binds it
	 */
	public static UnboundPayload of(byte[] json, JsonMapper mapper) {
		return new UnboundPayload(json, PayloadReaders.of(mapper));
	}

	/**
	 * Another payload that is bound in the same way.
	 * @param json a JSON text in UTF-8; not copied, and not parsed yet
	 */
	public UnboundPayload replacedBy(byte[] json) {
		return new UnboundPayload(json, this.readers);
	}

	/** The bytes; not copied, so they must not be changed. */
	public byte[] bytes() {
		return this.bytes;
	}

	/**
	 * Binds the payload to a type. Each call creates a new object.
	 * @param type a class or a generic type, such as {@code Map} or {@code JsonNode}
	 * @throws PayloadBindingException if the payload does not fit the type, is not JSON,
	 * is empty, or is JSON null
	 */
	@SuppressWarnings({ "unchecked", "TypeParameterUnusedInFormals" })
	public <T> T bind(Type type) {
		Object value = read(type);
		if (value == null) {
			throw new PayloadBindingException(type, "it is empty or JSON null");
		}
		return (T) value;
	}

	private @Nullable Object read(Type type) {
		try (JsonParser parser = this.readers.mapper().createParser(this.bytes)) {
			JsonToken first = parser.nextToken();
			if (first == null || first == JsonToken.VALUE_NULL) {
				return null;
			}
			return this.readers.to(type).readValue(parser);
		}
		catch (JacksonException ex) {
			throw new PayloadBindingException(type, ex.getClass().getSimpleName() + JsonPlace.of(ex));
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
