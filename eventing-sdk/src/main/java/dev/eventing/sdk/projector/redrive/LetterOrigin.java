package dev.eventing.sdk.projector.redrive;

import java.time.Duration;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.projector.delivery.Origin;
import dev.eventing.sdk.projector.delivery.Place;

/**
 * An event that lies in the dead letters. Its delivery was settled when it was parked;
 * the letter itself is settled in the transaction that runs it.
 */
final class LetterOrigin implements Origin {

	private final RedriveLetter letter;

	private final Place place;

	LetterOrigin(RedriveLetter letter) {
		this.letter = letter;
		DeadLetter kept = letter.letter();
		this.place = new Place(kept.place().stream(), kept.place().sequence(), kept.place().publishedAt());
	}

	@Override
	public Place place() {
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
		// settled with its transaction
	}

	@Override
	public void term(String reason) {
		// settled with its transaction
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
		// nobody waits for a sign
	}

}
