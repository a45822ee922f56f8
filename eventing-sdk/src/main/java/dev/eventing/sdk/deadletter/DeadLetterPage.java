package dev.eventing.sdk.deadletter;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Some letters, newest first.
 *
 * @param letters the letters
 * @param next what to ask for the next page by, or null: this is the last
 */
public record DeadLetterPage(List<DeadLetterSummary> letters, @Nullable Long next) {

	public DeadLetterPage {
		letters = List.copyOf(letters);
	}

}
