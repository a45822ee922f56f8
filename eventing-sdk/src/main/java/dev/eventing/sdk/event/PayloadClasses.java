package dev.eventing.sdk.event;

import java.lang.reflect.Type;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/** Whether payloads can be bound to a class, whatever they contain. */
public final class PayloadClasses {

	private static final byte[] EMPTY = { '{', '}' };

	private PayloadClasses() {
	}

	/**
	 * Why no payload can be bound to the type, in the words of the mapper; null if some
	 * can. Binds an empty object, so it may call a constructor with absent values.
	 */
	public static @Nullable String problem(JsonMapper mapper, Type type) {
		try {
			PayloadReaders.of(mapper).read(EMPTY, type);
			return null;
		}
		catch (InvalidDefinitionException ex) {
			return ex.getOriginalMessage();
		}
		catch (RuntimeException ex) {
			return null; // about this object: the class may need what is absent
		}
	}

}
