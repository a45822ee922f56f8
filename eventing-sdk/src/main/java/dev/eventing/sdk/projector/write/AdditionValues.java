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
 * Converts names and values of an addition for SQL. Names become part of the statement,
 * so only plain identifiers are accepted.
 */
final class AdditionValues {

	private static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]{0,62}";

	private static final Pattern COLUMN = Pattern.compile(IDENTIFIER);

	private static final Pattern TABLE = Pattern.compile(IDENTIFIER + "(\\." + IDENTIFIER + ")?");

	/** The most digits of a numeric before its decimal point. */
	private static final int MOST_DIGITS = 131_072;

	private AdditionValues() {
	}

	/**
	 * Returns the table's name in quotes and in lower case, as SQL reads a name without
	 * quotes.
	 */
	static String table(String name) {
		return '"' + lowerCase(name, TABLE, "table").replace(".", "\".\"") + '"';
	}

	/** Returns the values of the key by column name. */
	static SortedMap<String, String> key(Map<String, ?> key) {
		return all(key, "key", AdditionValues::text);
	}

	/** Returns the deltas by column name. */
	static SortedMap<String, BigDecimal> deltas(Map<String, ? extends Number> deltas) {
		return all(deltas, "delta", AdditionValues::number);
	}

	private static <V, R> SortedMap<String, R> all(Map<String, V> values, String what,
			BiFunction<String, V, R> converted) {
		if (values.isEmpty()) {
			throw new IllegalArgumentException("An addition has no " + what + ". Consider at least one column.");
		}
		SortedMap<String, R> all = new TreeMap<>();
		values.forEach((name, value) -> {
			if (value == null) {
				throw new IllegalArgumentException("The " + what + " of column '" + name
						+ "' is null. Consider a value that stands for \"unknown\".");
			}
			if (all.put(lowerCase(name, COLUMN, "column"), converted.apply(name, value)) != null) {
				throw new IllegalArgumentException("Column '" + name + "' occurs twice. Consider lower-case names.");
			}
		});
		return all;
	}

	private static String lowerCase(String name, Pattern pattern, String what) {
		if (!pattern.matcher(name).matches()) {
			throw new IllegalArgumentException("'" + name + "' is not a valid name of a " + what
					+ ". Consider letters, digits and '_', not starting with a digit, without quotes.");
		}
		return name.toLowerCase(Locale.ROOT);
	}

	/** Returns a value as a text that PostgreSQL can cast to the column's type. */
	private static String text(String column, Object value) {
		if (value instanceof BigDecimal number) {
			return writable("key", column, number).toPlainString();
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
		throw new IllegalArgumentException("The key of column '" + column + "' has " + value.getClass()
				+ ". Consider text, a number, a boolean, a UUID, an enum, or a type of java.time.");
	}

	/** A floating-point number counts as the decimal number that it prints as. */
	private static BigDecimal number(String column, Number value) {
		if (value instanceof Long || value instanceof Integer) {
			return BigDecimal.valueOf(value.longValue());
		}
		BigDecimal number = (value instanceof BigDecimal exact) ? exact : parsed(value.toString());
		if (number == null) {
			throw new IllegalArgumentException("The delta of column '" + column
					+ "' is not a number that can be added. Consider one that is neither NaN nor infinite.");
		}
		return writable("delta", column, number);
	}

	/**
	 * A short text such as {@code 1E1000000000} is a number whose digits may not fit into
	 * the memory.
	 */
	private static BigDecimal writable(String what, String column, BigDecimal number) {
		long before = (long) number.precision() - number.scale();
		if (before > MOST_DIGITS || number.scale() > MOST_DIGITS) {
			throw new IllegalArgumentException("The " + what + " of column '" + column + "' has more than "
					+ MOST_DIGITS + " digits. Consider a number that a numeric can hold.");
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
