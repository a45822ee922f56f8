package dev.eventing.sdk.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import picocli.CommandLine.TypeConversionException;

/** Parses and prints times for operators. */
final class Times {

	private static final Pattern DURATION = Pattern.compile("(\\d{1,9})([smhdw])");

	private Times() {
	}

	/** {@code 90s}, {@code 30m}, {@code 2h}, {@code 7d} or {@code 2w}. */
	static Duration duration(String text) {
		Matcher matcher = DURATION.matcher(text);
		if (!matcher.matches()) {
			throw new TypeConversionException("'" + text + "' is not a duration. Consider 90s, 30m, 2h, 7d or 2w.");
		}
		long amount = Long.parseLong(matcher.group(1));
		return switch (matcher.group(2)) {
			case "s" -> Duration.ofSeconds(amount);
			case "m" -> Duration.ofMinutes(amount);
			case "h" -> Duration.ofHours(amount);
			case "d" -> Duration.ofDays(amount);
			default -> Duration.ofDays(7 * amount);
		};
	}

	/** A time given as a duration before now, or as an instant. */
	static Instant instant(String text, Instant now) {
		if (DURATION.matcher(text).matches()) {
			return now.minus(duration(text));
		}
		try {
			return Instant.parse(text);
		}
		catch (DateTimeParseException ex) {
			throw new TypeConversionException(
					"'" + text + "' is not a time. Consider 2h for two hours ago, or 2026-01-31T13:45:00Z.");
		}
	}

	static String readable(Instant time) {
		return time.truncatedTo(ChronoUnit.SECONDS).toString();
	}

}
