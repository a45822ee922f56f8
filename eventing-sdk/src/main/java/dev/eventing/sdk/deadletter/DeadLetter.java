package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * A row of the ledger: an event that one projector could not apply.
 *
 * @param letterId the letter's own id
 * @param number the number of the letter; later letters have larger numbers
 * @param projector the projector's name
 * @param identity the identity of the event
 * @param event subject, headers and payload as they were delivered
 * @param place the stream and sequence of the event
 * @param cause why the event is a dead letter
 * @param handling the status of the letter, and what happened to it since it was parked
 */
public record DeadLetter(UUID letterId, long number, String projector, EventIdentity identity, RawEvent event,
		EventPlace place, LetterCause cause, LetterHandling handling) implements IdentifiedLetter {

	/**
	 * Why the event is a dead letter, as a constant for programs; see
	 * {@link LetterCause}.
	 */
	public String reason() {
		return this.cause.reason();
	}

	/** The last error, or null if there was none. */
	public @Nullable Failure failure() {
		return this.cause.failure();
	}

	/** The number of attempts before the letter was parked. */
	public int attempts() {
		return this.cause.attempts();
	}

	/** When the projector gave the event up, by the database's clock. */
	public Instant deadAt() {
		return this.handling.deadAt();
	}

	/** The status of the letter. */
	public DeadLetterStatus status() {
		return this.handling.status();
	}

}
