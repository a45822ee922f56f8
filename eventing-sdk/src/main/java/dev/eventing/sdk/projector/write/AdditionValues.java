package dev.eventing.sdk.projector.write;

import java.math.BigDecimal;
import java.time.ZonedDateTime;
import java.time.temporal.Temporal;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Names and values of an addition as SQL takes them. Names become part of the statement,
 * so nothing but plain identifiers is let through.
 */
final class AdditionValues {

	private static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]{0,62}";

	private static final Pattern COLUMN = Pattern.compile(IDENTIFIER);

	private static final Pattern TABLE = Pattern.compile(IDENTIFIER + "(\\." + IDENTIFIER + ")?");

	private AdditionValues() {
	}

	/** The table's name in quotes, in lower case as SQL takes it without them. */
	static String table(String name) {
		return '"' + lowerCase(name, TABLE, "table").replace(".", "\".\"") + '"';
	}

	/** The values of the key by the names of its columns. */
	static SortedMap<String, String> key(Map<String, ?> key) {
		return all(key, "key", AdditionValues::text);
	}

	/** The deltas by the names of their columns. */
	static SortedMap<String, BigDecimal> deltas(Map<String, ? extends Number> deltas) {
		return all(deltas, "delta", AdditionValues::number);
	}

	private static <V, R> SortedMap<String, R> all(Map<String, V> values, String what,
			BiFunction<String, V, R> converted) {
		if (values.isEmpty()) {
			throw new IllegalArgumentException("An addition has no " + what + ". Consider naming at least one column.");
		}
		SortedMap<String, R> all = new TreeMap<>();
		values.forEach((name, value) -> {
			if (value == null) {
				throw new IllegalArgumentException("The " + what + " of column '" + name
						+ "' is null. Consider a value, such as one that stands for \"unknown\".");
			}
			if (all.put(lowerCase(name, COLUMN, "column"), converted.apply(name, value)) != null) {
				throw new IllegalArgumentException("Column '" + name + "' is named twice. Consider lower-case names.");
			}
		});
		return all;
	}

	private static String lowerCase(String name, Pattern pattern, String what) {
		if (!pattern.matcher(name).matches()) {
			throw new IllegalArgumentException("'" + name + "' is no name of a " + what
					+ ". Consider letters, digits and '_', not starting with a digit, without quotes.");
		}
		return name.toLowerCase(Locale.ROOT);
	}

	/** A value as PostgreSQL reads it for a column of its type. */
	private static String text(String column, Object value) {
		if (value instanceof BigDecimal number) {
			return number.toPlainString();
		}
		if (value instanceof ZonedDateTime time) {
			return time.toOffsetDateTime().toString();
		}
		if (value instanceof Enum<?> constant) {
			return constant.name();
		}
		if (value instanceof CharSequence || value instanceof Number || value instanceof Temporal
				|| value instanceof UUID || value instanceof Boolean || value instanceof Character) {
			return value.toString();
		}
		throw new IllegalArgumentException("The key of column '" + column + "' is of " + value.getClass()
				+ ". Consider text, a number, a boolean, a UUID, an enum, or a type of java.time.");
	}

	/** A floating-point number counts as the decimal number it prints as. */
	private static BigDecimal number(String column, Number value) {
		if (value instanceof Long || value instanceof Integer) {
			return BigDecimal.valueOf(value.longValue());
		}
		BigDecimal number = (value instanceof BigDecimal exact) ? exact : parsed(value.toString());
		if (number == null) {
			throw new IllegalArgumentException("The delta of column '" + column
					+ "' is no number that can be added up. Consider one that is neither NaN nor infinite.");
		}
		return number;
	}

	private static @Nullable BigDecimal parsed(String text) {
		try {
			return new BigDecimal(text);
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

}
