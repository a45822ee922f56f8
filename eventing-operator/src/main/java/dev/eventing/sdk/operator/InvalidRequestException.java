package dev.eventing.sdk.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.DurationText;
import dev.eventing.sdk.event.NearestName;
import dev.eventing.sdk.event.Quoted;

/** A request is invalid or ambiguous. */
public class InvalidRequestException extends EventingException {

	private static final long serialVersionUID = 1L;

	public InvalidRequestException(String message) {
		super(message);
	}

	/**
	 * A field or a query parameter that nothing reads. To ignore it could change more
	 * than was meant.
	 * @param known the names that are read, at least one
	 */
	public static InvalidRequestException unknown(String name, Collection<String> known) {
		String all = (known.size() > 1) ? "; there are " + String.join(", ", new TreeSet<>(known)) : "";
		return new InvalidRequestException("There is no " + Quoted.of(name) + " here, so nothing was done. Consider '"
				+ NearestName.of(name, known) + "'" + all + ".");
	}

	/**
	 * A value that cannot be read.
	 * @param type what the field or parameter takes
	 */
	public static InvalidRequestException unreadable(String name, String value, Class<?> type) {
		return new InvalidRequestException(
				"'" + name + "' cannot be " + Quoted.of(value) + ". Consider " + examples(type) + ".");
	}

	/**
	 * An array or an object where another value belongs. What is in it is not quoted: it
	 * may be a payload.
	 * @param type what the field takes
	 */
	public static InvalidRequestException nested(String name, Class<?> type) {
		return new InvalidRequestException(
				"'" + name + "' cannot be an array or an object like this one. Consider " + examples(type) + ".");
	}

	/** Values of a field or a parameter of this type, for a sentence. */
	private static String examples(Class<?> type) {
		if (type.isEnum()) {
			return Arrays.stream(type.getEnumConstants()).map(String::valueOf).collect(Collectors.joining(", "));
		}
		if (type == Duration.class) {
			return DurationText.EXAMPLES;
		}
		if (type == Instant.class) {
			return "a time such as 2026-01-31T13:45:00Z";
		}
		if (type == Boolean.class || type == boolean.class) {
			return "true or false";
		}
		if (Number.class.isAssignableFrom(type) || type == int.class) {
			return "a whole number";
		}
		if (type == String.class) {
			return "a text";
		}
		if (Collection.class.isAssignableFrom(type)) {
			return "an array, such as [\"a\", \"b\"]";
		}
		return type.isRecord() ? "an object with the fields that the guide names" : "an id of the list";
	}

}
