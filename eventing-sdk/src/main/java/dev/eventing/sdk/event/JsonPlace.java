package dev.eventing.sdk.event;

import java.util.Map;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;

/**
 * Describes the place of an error in a JSON text without any of its content. Jackson's
 * own messages quote the text, and keys of maps are data too.
 */
final class JsonPlace {

	private JsonPlace() {
	}

	/**
	 * As {@link #of}, followed by the type of what should be there, such as
	 * {@code , where java.time.LocalDate is expected}.
	 */
	static String withType(JacksonException ex) {
		Class<?> expected = (ex instanceof MismatchedInputException mismatch
				&& !(ex instanceof PropertyBindingException)) ? mismatch.getTargetType() : null;
		return of(ex) + ((expected != null) ? ", where " + expected.getTypeName() + " is expected" : "");
	}

	/** Such as {@code  at lines[2].amount, line 1, column 40}; empty if unknown. */
	static String of(JacksonException ex) {
		StringBuilder path = new StringBuilder();
		for (JacksonException.Reference step : ex.getPath()) {
			append(path, step);
		}
		TokenStreamLocation location = ex.getLocation();
		return (path.isEmpty() ? "" : " at " + path) + ((location != null && location.getLineNr() > 0)
				? ", line " + location.getLineNr() + ", column " + location.getColumnNr() : "");
	}

	private static void append(StringBuilder path, JacksonException.Reference step) {
		if (step.getPropertyName() == null) {
			path.append('[').append((step.getIndex() >= 0) ? step.getIndex() : "?").append(']');
			return;
		}
		path.append(path.isEmpty() ? "" : ".").append(isMap(step.from()) ? "*" : step.getPropertyName());
	}

	private static boolean isMap(Object from) {
		return from instanceof Map || (from instanceof Class<?> type && Map.class.isAssignableFrom(type));
	}

}
