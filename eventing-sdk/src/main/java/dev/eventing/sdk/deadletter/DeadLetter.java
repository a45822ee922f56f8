package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * A row of the ledger: an event that one projector could not apply.
 *
 * @param letterId the letter's own id
 * @param number its place among all letters, in the order they came
 * @param projector the projector's name
 * @param identity which event it is about
 * @param event subject, headers and payload as they were delivered
 * @param place where the event lies
 * @param cause why the event is dead
 * @param handling where the letter stands, and what was done to it since
 */
public record DeadLetter(UUID letterId, long number, String projector, EventIdentity identity, RawEvent event,
		EventPlace place, LetterCause cause, LetterHandling handling) {

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

	/** The last error, or null where there was none. */
	public @Nullable Failure failure() {
		return this.cause.failure();
	}

	/** How often a handler ran before the letter was parked. */
	public int attempts() {
		return this.cause.attempts();
	}

	/** When the projector gave it up, by the database's clock. */
	public Instant deadAt() {
		return this.handling.deadAt();
	}

	/** Where it stands. */
	public DeadLetterStatus status() {
		return this.handling.status();
	}

}
