package dev.eventing.sdk.operator;

import java.time.Duration;
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
	 * The elements of an array. One without elements is refused: to a program it means
	 * that nothing is to be done, and a request without the array does more.
	 * @param name the name of the field
	 * @param array null for none
	 * @throws InvalidRequestException if the array is empty
	 */
	static List<String> elements(String name, @Nullable List<String> array) {
		if (array == null) {
			return List.of();
		}
		if (array.isEmpty()) {
			throw new InvalidRequestException(
					"\"" + name + "\" has no element, so nothing was done. Consider a request without it.");
		}
		return array;
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
