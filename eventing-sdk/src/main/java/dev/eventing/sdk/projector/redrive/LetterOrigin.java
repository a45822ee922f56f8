package dev.eventing.sdk.projector.redrive;

import java.time.Duration;

import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.projector.delivery.Origin;
import dev.eventing.sdk.event.EventPlace;

/**
 * The origin of a dead letter's event. Its delivery was settled after the letter was
 * written. The transaction that runs the letter settles the letter.
 */
final class LetterOrigin implements Origin {

	private final RedriveLetter letter;

	private final EventPlace place;

	LetterOrigin(RedriveLetter letter) {
		this.letter = letter;
		this.place = letter.letter().place();
	}

	@Override
	public EventPlace place() {
		return this.place;
	}

	@Override
	public RawEvent raw() {
		return this.letter.event();
	}

	@Override
	public boolean isEdited() {
		return this.letter.letter().handling().edited() != null;
	}

	@Override
	public void acknowledge() {
		// its transaction settles it
	}

	@Override
	public void term(String reason) {
		// its transaction settles it
	}

	@Override
	public void nak() {
		// stays in the ledger
	}

	@Override
	public void nak(Duration delay) {
		// stays in the ledger
	}

	@Override
	public void inProgress() {
		// no server waits for it
	}

}
