package dev.eventing.sdk.operator;

import java.util.List;

import dev.eventing.sdk.deadletter.DeadLetterPage;
import org.jspecify.annotations.Nullable;

/**
 * Some letters, newest first.
 *
 * @param letters the letters
 * @param next what to give as {@code after} for the next page, or null: this is the last
 */
public record LetterList(List<LetterRow> letters, @Nullable Long next) {

	static LetterList of(DeadLetterPage page) {
		return new LetterList(page.letters().stream().map(LetterRow::of).toList(), page.next());
	}

}
