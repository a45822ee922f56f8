package dev.eventing.sdk.projector.redrive;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.projector.failure.TakeBack;

/**
 * Runs of letters, which are counted before they begin: what a process dies in stays
 * counted. A run that ended without a death, and without saying what became of the
 * letter, is no reason to suspect it, and is taken back. For one thread.
 */
final class CountedRuns {

	private final String projector;

	private final RedriveLedger ledger;

	/** Those that have begun and not ended. */
	private final Map<UUID, RedriveLetter> open = new LinkedHashMap<>();

	CountedRuns(String projector, RedriveLedger ledger) {
		this.projector = projector;
		this.ledger = ledger;
	}

	/** Counts them, in the caller's transaction. */
	void begin(List<RedriveLetter> letters) {
		this.open.clear();
		letters.forEach((letter) -> this.open.put(letter.letter().letterId(), letter));
		this.ledger.begin(this.open.keySet());
	}

	/** It is committed what became of these letters. */
	void ended(Collection<UUID> letterIds) {
		this.open.keySet().removeAll(letterIds);
	}

	/**
	 * Takes all back that have not ended: letters that came to no handler, or that a stop
	 * or another node cut short. So this is no transaction of the owner's.
	 */
	void takeBack() {
		if (!this.open.isEmpty()) {
			TakeBack.insist("Projector '" + this.projector + "': a redrive of " + this.open.size() + " dead letters",
					() -> {
						List<RedriveLetter> left = this.ledger.unbegin(List.copyOf(this.open.values()));
						this.open.keySet()
							.retainAll(left.stream().map((letter) -> letter.letter().letterId()).toList());
						return this.open.isEmpty();
					});
			this.open.clear();
		}
	}

}
