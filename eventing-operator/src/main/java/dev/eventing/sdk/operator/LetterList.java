package dev.eventing.sdk.operator;

import java.util.List;

import dev.eventing.sdk.deadletter.DeadLetterPage;
import org.jspecify.annotations.Nullable;

/**
 * A page of letters, newest first.
 *
 * @param letters the letters
 * @param next the {@code after} of the next page, or null if this is the last page
 */
public record LetterList(List<LetterRow> letters, @Nullable Long next) {

	/** The page as JSON. */
	public static LetterList of(DeadLetterPage page) {
		return new LetterList(page.letters().stream().map(LetterRow::of).toList(), page.next());
	}

}
