package dev.eventing.sdk.projector.redrive;

import java.util.List;
import java.util.Objects;

import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.projector.attempt.Suspects;
import org.jspecify.annotations.Nullable;

/**
 * How letters run after processes died while they ran: first in a batch with others, then
 * in a group, then alone. So one letter that ends its process does not hold up the rest.
 */
final class RunLadder {

	/** A letter runs alone after this many deaths: one in a batch, one in a group. */
	private static final int RUNS_TOGETHER = 2;

	private RunLadder() {
	}

	/** Returns the first of these letters that may run in one transaction. */
	static List<RedriveLetter> together(List<RedriveLetter> letters) {
		Integer rate = letters.isEmpty() ? null : letters.get(0).ratePerSecond();
		int size = size(letters, rate);
		return letters.subList(0, (rate != null) ? Math.min(size, Math.max(1, rate / 4)) : size);
	}

	private static int size(List<RedriveLetter> letters, @Nullable Integer rate) {
		int size = 0;
		int most = letters.size();
		for (RedriveLetter letter : letters) {
			most = Math.min(most, mostBeside(letter));
			if (size >= most || !Objects.equals(rate, letter.ratePerSecond())) {
				return size;
			}
			size++;
		}
		return size;
	}

	private static int mostBeside(RedriveLetter letter) {
		if (letter.runs() == 0) {
			return Integer.MAX_VALUE;
		}
		return (letter.runs() < RUNS_TOGETHER) ? Suspects.GROUP : 1;
	}

	/** How often the letter ran alone while a process died. */
	static int runsAlone(RedriveLetter letter) {
		return Math.max(0, letter.runs() - RUNS_TOGETHER);
	}

}
