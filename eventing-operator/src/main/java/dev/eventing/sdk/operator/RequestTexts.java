package dev.eventing.sdk.operator;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import dev.eventing.sdk.event.DurationText;
import org.jspecify.annotations.Nullable;

/** Reads values of requests. */
public final class RequestTexts {

	private RequestTexts() {
	}

	/**
	 * A duration as the command line takes it, or one of ISO-8601.
	 * @param name the name of the field or parameter
	 * @param text null or an empty text for none
	 * @throws InvalidRequestException if the text is none
	 */
	public static @Nullable Duration duration(String name, @Nullable String text) {
		if (text == null || text.isEmpty()) {
			return null;
		}
		Duration duration = DurationText.parse(text);
		if (duration == null) {
			throw InvalidRequestException.unreadable(name, text, Duration.class);
		}
		return duration;
	}

	/**
	 * The parts of a text, separated by commas.
	 * @param text null or an empty text for none
	 */
	public static List<String> list(@Nullable String text) {
		return (text == null || text.isBlank()) ? List.of()
				: Arrays.stream(text.split(",")).map(String::strip).filter((each) -> !each.isEmpty()).toList();
	}

	/**
	 * The length of an interval of counts, as {@link #duration} reads it.
	 * @param text null or an empty text for one hour
	 * @throws InvalidRequestException if the text is none
	 */
	public static Duration interval(@Nullable String text) {
		Duration interval = duration("interval", text);
		return (interval != null) ? interval : Duration.ofHours(1);
	}

}
