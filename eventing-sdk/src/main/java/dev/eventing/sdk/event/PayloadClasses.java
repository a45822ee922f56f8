package dev.eventing.sdk.event;

import java.lang.reflect.Type;

import dev.eventing.sdk.event.PropertyClasses.Unbindable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/** Whether payloads can be bound to a class, whatever they contain. */
public final class PayloadClasses {

	private static final byte[] EMPTY = { '{', '}' };

	private PayloadClasses() {
	}

	/**
	 * Which payloads can never be bound to the type, why, and what to change: all, or all
	 * that have a property at any depth. Null if there are none. Binds an empty object,
	 * so it may call a constructor with absent values.
	 */
	public static @Nullable String problem(JsonMapper mapper, Type type) {
		try {
			PayloadReaders.of(mapper).read(EMPTY, type);
		}
		catch (InvalidDefinitionException ex) {
			return "no payload can be bound to " + type.getTypeName() + ": " + ex.getOriginalMessage()
					+ ". Consider a record, or a class with a constructor that Jackson can call.";
		}
		catch (RuntimeException ex) {
			// about this object: the class may need what is absent
		}
		Unbindable property = PropertyClasses.find(mapper, type);
		return (property != null) ? problem(type, property) : null;
	}

	private static String problem(Type type, Unbindable property) {
		return "no payload with '" + property.name() + "' can be bound to " + type.getTypeName() + ": "
				+ property.problem() + ". Consider a record, a class with a constructor that Jackson can call,"
				+ " @JsonTypeInfo, a deserializer of its own, or @JsonIgnore.";
	}

}
