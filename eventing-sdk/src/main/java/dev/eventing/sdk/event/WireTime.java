package dev.eventing.sdk.event;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses times on the wire. Almost all publishers write {@code 2026-01-31T12:00:00Z},
 * with or without a fraction. This class reads that form digit by digit, because
 * {@link Instant#parse} would take a third of the time to read an event.
 * {@link Instant#parse} reads all other forms of RFC 3339. Then come forms that mean one
 * time only: without seconds, with a blank for the T, with an offset such as
 * {@code +0000} or {@code +01}.
 */
final class WireTime {

	private static final int SHORTEST = "2026-01-31T12:00:00Z".length();

	private static final int LONGEST = "2026-01-31T12:00:00.123456789Z".length();

	private static final int FRACTION = "2026-01-31T12:00:00.".length();

	private static final String SEPARATORS = "0000-00-00T00:00:00";

	/** Date, time and offset, in forms that mean one time only. */
	private static final Pattern ONE_TIME = Pattern
		.compile(" *(\\d{4}-\\d\\d-\\d\\d)(?:[Tt]| +)([\\d:.]+) *(?:([Zz])|([-+]\\d\\d)(?::?(\\d\\d))?) *");

	private static final DateTimeFormatter STRICT = DateTimeFormatter.ISO_OFFSET_DATE_TIME
		.withResolverStyle(ResolverStyle.STRICT);

	private WireTime() {
	}

	/**
	 * The time in the text.
	 * @throws java.time.DateTimeException if the text is not a time
	 */
	static Instant parse(String text) {
		if (!isPlain(text)) {
			return parseOther(text);
		}
		LocalDateTime time = LocalDateTime.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10),
				number(text, 11, 13), number(text, 14, 16), number(text, 17, 19), nanos(text));
		return time.toInstant(ZoneOffset.UTC);
	}

	private static Instant parseOther(String text) {
		try {
			return Instant.parse(text);
		}
		catch (DateTimeParseException ex) {
			Matcher parts = ONE_TIME.matcher(text);
			if (!parts.matches()) {
				throw ex;
			}
			String offset = (parts.group(3) != null) ? "Z"
					: parts.group(4) + ':' + Objects.requireNonNullElse(parts.group(5), "00");
			return OffsetDateTime.parse(parts.group(1) + 'T' + parts.group(2) + offset, STRICT).toInstant();
		}
	}

	private static boolean isPlain(String text) {
		int end = text.length() - 1;
		if (end + 1 < SHORTEST || end + 1 > LONGEST || text.charAt(end) != 'Z' || isLeapOrMidnight(text)) {
			return false;
		}
		for (int i = 0; i < SEPARATORS.length(); i++) {
			char separator = SEPARATORS.charAt(i);
			if (separator == '0' ? !isDigit(text.charAt(i)) : text.charAt(i) != separator) {
				return false;
			}
		}
		if (end == SEPARATORS.length()) {
			return true;
		}
		boolean fraction = text.charAt(FRACTION - 1) == '.' && end > FRACTION;
		for (int i = FRACTION; i < end; i++) {
			fraction &= isDigit(text.charAt(i));
		}
		return fraction;
	}

	/** Only {@link Instant#parse} handles hour 24 and second 60. */
	private static boolean isLeapOrMidnight(String text) {
		return text.startsWith("24", 11) || text.startsWith("60", 17);
	}

	private static boolean isDigit(char c) {
		return c >= '0' && c <= '9';
	}

	private static int number(String text, int from, int to) {
		int number = 0;
		for (int i = from; i < to; i++) {
			number = 10 * number + text.charAt(i) - '0';
		}
		return number;
	}

	private static int nanos(String text) {
		int end = text.length() - 1;
		if (end < FRACTION) {
			return 0;
		}
		int nanos = number(text, FRACTION, end);
		for (int digits = end - FRACTION; digits < 9; digits++) {
			nanos *= 10;
		}
		return nanos;
	}

}
