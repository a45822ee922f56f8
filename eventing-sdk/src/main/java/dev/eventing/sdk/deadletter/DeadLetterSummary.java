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
 * @param tenantId whose event it is, or null if that could not be told
 * @param eventId the event's id
 * @param eventType its type on the wire, or null if that could not be told
 * @param orderingKey what its order is kept by, or null
 * @param reason why it is dead, as a word for machines
 * @param errorClass the class of the last error, or null
 * @param errorMessage its message, or null; may quote data of the event
 * @param attempts how often a handler ran before the letter was parked
 * @param redrives how often a redrive ran it since
 * @param deadAt when the projector gave it up
 * @param status where it stands
 */
public record DeadLetterSummary(UUID letterId, long number, String projector, @Nullable TenantId tenantId, UUID eventId,
		@Nullable String eventType, @Nullable String orderingKey, String reason, @Nullable String errorClass,
		@Nullable String errorMessage, int attempts, int redrives, Instant deadAt, DeadLetterStatus status) {
}
