package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * A letter as lists show it: without payload, headers and stack trace.
 *
 * @param letterId the letter's own id
 * @param number its place among all letters, in the order they came
 * @param projector the projector's name
 * @param identity which event it is about
 * @param cause why the event is dead
 * @param redrives how often a redrive ran the handler since
 * @param deadAt when the projector gave it up
 * @param status where it stands
 */
public record DeadLetterSummary(UUID letterId, long number, String projector, EventIdentity identity, Cause cause,
		int redrives, Instant deadAt, DeadLetterStatus status) {

	/** Whose event it is, or null if that could not be told. */
	public @Nullable TenantId tenantId() {
		return this.identity.tenantId();
	}

	/** The event's id, or one derived from its place where it had none. */
	public UUID eventId() {
		return this.identity.eventId();
	}

	/** Its type on the wire, or null if that could not be told. */
	public @Nullable String eventType() {
		return this.identity.type();
	}

	/** What its order is kept by, or null. */
	public @Nullable String orderingKey() {
		return this.identity.orderingKey();
	}

	/** Why it is dead, as a word for machines. */
	public String reason() {
		return this.cause.reason();
	}

	/** The class of the last error, or null. */
	public @Nullable String errorClass() {
		return this.cause.errorClass();
	}

	/** The message of the last error, or null; may quote data of the event. */
	public @Nullable String errorMessage() {
		return this.cause.errorMessage();
	}

	/** How often a handler ran before the letter was parked. */
	public int attempts() {
		return this.cause.attempts();
	}

	/**
	 * Why the event is dead, without the stack trace.
	 *
	 * @param reason a word for machines
	 * @param errorClass the class of the last error, or null
	 * @param errorMessage its message, or null; may quote data of the event
	 * @param attempts how often a handler ran before the letter was parked
	 */
	public record Cause(String reason, @Nullable String errorClass, @Nullable String errorMessage, int attempts) {
	}

}
