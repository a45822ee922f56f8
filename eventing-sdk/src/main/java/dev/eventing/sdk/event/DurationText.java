package dev.eventing.sdk.event;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Writes durations for a log line as people do, such as {@code 852 ms}, and reads those
 * that operators write.
 */
public final class DurationText {

	/** What {@link #parse} reads. */
	public static final String EXAMPLES = "90s, 30m, 2h, 7d or 2w";

	private static final Pattern WRITTEN = Pattern.compile("(\\d{1,9})(ms|[smhdw])");

	private static final Duration LONGEST = Duration.ofDays(999_999_999);

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration DAY = Duration.ofDays(1);

	private DurationText() {
	}

	/** The duration in its largest unit, with what is left in the next one. */
	public static String of(Duration duration) {
		if (duration.compareTo(SECOND) < 0) {
			return duration.toMillis() + " ms";
		}
		if (duration.compareTo(MINUTE) < 0) {
			long tenths = duration.toMillis() / 100;
			return tenths / 10 + ((tenths % 10 > 0) ? "." + tenths % 10 : "") + " s";
		}
		if (duration.compareTo(HOUR) < 0) {
			return both(duration.toMinutes(), " min", duration.toSecondsPart(), " s");
		}
		return (duration.compareTo(DAY) < 0) ? both(duration.toHours(), " h", duration.toMinutesPart(), " min")
				: both(duration.toDays(), " d", duration.toHoursPart(), " h");
	}

	/**
	 * Reads a duration such as {@code 500ms}, {@code 90s}, {@code 2w} or {@code PT1M}.
	 * @return null if the text is none, or a negative one, or longer than history
	 */
	public static @Nullable Duration parse(String text) {
		Matcher matcher = WRITTEN.matcher(text);
		if (!matcher.matches()) {
			return parseIso(text);
		}
		long amount = Long.parseLong(matcher.group(1));
		return switch (matcher.group(2)) {
			case "ms" -> Duration.ofMillis(amount);
			case "s" -> Duration.ofSeconds(amount);
			case "m" -> Duration.ofMinutes(amount);
			case "h" -> Duration.ofHours(amount);
			case "d" -> Duration.ofDays(amount);
			default -> Duration.ofDays(7 * amount);
		};
	}

	private static @Nullable Duration parseIso(String text) {
		try {
			Duration duration = Duration.parse(text);
			return (duration.isNegative() || duration.compareTo(LONGEST) > 0) ? null : duration;
		}
		catch (DateTimeParseException ex) {
			return null;
		}
	}

	private static String both(long large, String unit, int rest, String smaller) {
		return large + unit + ((rest > 0) ? " " + rest + smaller : "");
	}

}
