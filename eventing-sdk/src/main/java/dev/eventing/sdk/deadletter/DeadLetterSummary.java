package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A letter for lists, without payload, headers and stack trace.
 *
 * @param letterId the letter's own id
 * @param number the number of the letter; later letters have larger numbers
 * @param projector the projector's name
 * @param identity the identity of the event
 * @param cause why the event is a dead letter
 * @param redrives how many times redrives ran the handler
 * @param deadAt when the projector gave the event up
 * @param status the status of the letter
 */
public record DeadLetterSummary(UUID letterId, long number, String projector, EventIdentity identity, Cause cause,
		int redrives, Instant deadAt, DeadLetterStatus status) implements IdentifiedLetter {

	/**
	 * Why the event is a dead letter, as a constant for programs; see
	 * {@link LetterCause}.
	 */
	public String reason() {
		return this.cause.reason();
	}

	/** The class of the last error, or null. */
	public @Nullable String errorClass() {
		return this.cause.errorClass();
	}

	/** The message of the last error, or null. It may contain data of the event. */
	public @Nullable String errorMessage() {
		return this.cause.errorMessage();
	}

	/** The number of attempts before the letter was parked. */
	public int attempts() {
		return this.cause.attempts();
	}

	/**
	 * The first open letter of its key, which a redrive runs before this one; null if it
	 * waits for none.
	 */
	public @Nullable UUID behind() {
		return this.cause.behind();
	}

	/**
	 * Why the event is a dead letter, without the stack trace.
	 *
	 * @param reason a constant for programs; see {@link LetterCause}
	 * @param errorClass the class of the last error, or null
	 * @param errorMessage its message, or null; may contain data of the event
	 * @param attempts the number of attempts before the letter was parked
	 * @param behind the first open letter of its key, or null if it waits for none
	 */
	public record Cause(String reason, @Nullable String errorClass, @Nullable String errorMessage, int attempts,
			@Nullable UUID behind) {
	}

}
