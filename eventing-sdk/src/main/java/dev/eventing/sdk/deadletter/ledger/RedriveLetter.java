package dev.eventing.sdk.deadletter.ledger;

import java.util.UUID;

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

	/** The redrive that the letter is part of; null for an automatic one. */
	public @Nullable UUID redriveId() {
		return this.letter.handling().redriven().redriveId();
	}

	/** Returns the event for the handler: the edited one if there is one. */
	public RawEvent event() {
		RawEvent edited = this.letter.handling().edited();
		return (edited != null) ? edited : this.letter.event();
	}

}
