package dev.eventing.sdk.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

import dev.eventing.sdk.event.DurationText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** Parses and prints times for operators. */
final class Times {

	private Times() {
	}

	/** {@code 90s}, {@code 30m}, {@code 2h}, {@code 7d} or {@code 2w}. */
	static Duration duration(String text) {
		Duration duration = DurationText.parse(text);
		if (duration == null) {
			throw new TypeConversionException(
					"'" + text + "' is not a duration. Consider " + DurationText.EXAMPLES + ".");
		}
		return duration;
	}

	/** A time given as a duration before now, or as an instant. */
	static Instant instant(String text, Instant now) {
		Duration ago = DurationText.parse(text);
		if (ago != null) {
			return now.minus(ago);
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

	/** Null if there is no time. */
	static @Nullable String readableOrNull(@Nullable Instant time) {
		return (time != null) ? readable(time) : null;
	}

}
