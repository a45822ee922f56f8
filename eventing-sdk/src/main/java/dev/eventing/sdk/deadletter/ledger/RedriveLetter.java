package dev.eventing.sdk.deadletter.ledger;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * A letter to run.
 *
 * @param letter the letter
 * @param runs how many of its runs in this redrive began and did not end
 * @param ratePerSecond the most letters per second of its redrive, or null for no limit
 */
public record RedriveLetter(DeadLetter letter, int runs, @Nullable Integer ratePerSecond) {

	/** Returns the event for the handler: the edited one if there is one. */
	public RawEvent event() {
		RawEvent edited = this.letter.handling().edited();
		return (edited != null) ? edited : this.letter.event();
	}

}
