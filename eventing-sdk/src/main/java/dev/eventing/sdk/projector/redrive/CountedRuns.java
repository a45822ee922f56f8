package dev.eventing.sdk.projector.redrive;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.failure.TakeBack;

/**
 * Counts the runs of letters before they begin. If the process dies, its runs stay
 * counted. A run that ends without a result for other reasons is taken back. For one
 * thread.
 */
final class CountedRuns {

	private final ProjectorId projector;

	private final RedriveLedger ledger;

	/** The letters whose run has begun and not ended. */
	private final Map<UUID, RedriveLetter> open = new LinkedHashMap<>();

	CountedRuns(ProjectorId projector, RedriveLedger ledger) {
		this.projector = projector;
		this.ledger = ledger;
	}

	/** Counts a run of each letter, in the caller's transaction. */
	void begin(List<RedriveLetter> letters) {
		this.open.clear();
		letters.forEach((letter) -> this.open.put(letter.letter().letterId(), letter));
		this.ledger.begin(this.open.keySet());
	}

	/** Ends the runs of letters whose result is committed. */
	void ended(Collection<UUID> letterIds) {
		this.open.keySet().removeAll(letterIds);
	}

	/**
	 * Takes back the runs that have not ended, because their letters reached no handler,
	 * or a stop or another node interrupted them. Does not need the lease. Tries for
	 * about a second; after that they stay counted.
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
