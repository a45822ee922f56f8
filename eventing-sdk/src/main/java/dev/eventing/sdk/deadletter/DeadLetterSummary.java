package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
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
		int redrives, Instant deadAt, DeadLetterStatus status) {

	/** The tenant of the event, or null if it is unknown. */
	public @Nullable TenantId tenantId() {
		return this.identity.tenantId();
	}

	/** The event's id. Derived from its place if its id or tenant is unknown. */
	public UUID eventId() {
		return this.identity.eventId();
	}

	/** The event's type on the wire, or null if it is unknown. */
	public @Nullable String eventType() {
		return this.identity.type();
	}

	/** The ordering key, or null. */
	public @Nullable String orderingKey() {
		return this.identity.orderingKey();
	}

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
	 * Why the event is a dead letter, without the stack trace.
	 *
	 * @param reason a constant for programs; see {@link LetterCause}
	 * @param errorClass the class of the last error, or null
	 * @param errorMessage its message, or null; may contain data of the event
	 * @param attempts the number of attempts before the letter was parked
	 */
	public record Cause(String reason, @Nullable String errorClass, @Nullable String errorMessage, int attempts) {
	}

}
