package dev.eventing.sdk.deadletter.ledger;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * A letter that is to be run.
 *
 * @param letter the letter
 * @param runs how often its present redrive began to run it and did not come to an end
 * @param ratePerSecond how many letters a second its redrive may run, or null: as fast as
 * it goes
 */
public record RedriveLetter(DeadLetter letter, int runs, @Nullable Integer ratePerSecond) {

	/** What the handler gets: the edited event if there is one. */
	public RawEvent event() {
		RawEvent edited = this.letter.handling().edited();
		return (edited != null) ? edited : this.letter.event();
	}

}
