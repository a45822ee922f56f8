package dev.eventing.sdk.deadletter;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of letters, newest first.
 * 
 * @param letters the letters
 * @param next the argument {@code after} for the next page, or null on the last page
 */
public record DeadLetterPage(List<DeadLetterSummary> letters, @Nullable Long next) {

	public DeadLetterPage {
		letters = List.copyOf(letters);
	}

}
