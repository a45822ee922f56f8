package dev.eventing.sdk.projector;

import java.time.Duration;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.RedriveLetter;
import dev.eventing.sdk.event.RawEvent;

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
		this.place = new Place(kept.stream(), kept.streamSequence(), kept.publishedAt());
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
		return this.letter.letter().treatment().edited() != null;
	}

	@Override
	public void acknowledge() {
		// settled with its transaction
	}

	@Override
	public void terminate(String reason) {
		// settled with its transaction
	}

	@Override
	public void giveBack() {
		// stays in the ledger
	}

	@Override
	public void giveBack(Duration delay) {
		// stays in the ledger
	}

	@Override
	public void inProgress() {
		// nobody waits for a sign
	}

}
