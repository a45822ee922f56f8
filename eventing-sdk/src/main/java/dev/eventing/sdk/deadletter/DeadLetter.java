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
 * @param tenantId whose event it is, or null if that could not be told
 * @param eventId its id, or one derived from its place where it had none
 * @param eventType its type on the wire, or null if that could not be told
 * @param orderingKey what its order is kept by, or null
 * @param event subject, headers and payload as they were delivered
 * @param stream the JetStream stream it came from
 * @param streamSequence its place in that stream
 * @param publishedAt when the stream took it in
 * @param reason why it is dead, as a word for machines (see {@link NewDeadLetter})
 * @param failure the last error, or null where there was none
 * @param attempts how often a handler ran
 * @param firstFailedAt when it failed for the first time
 * @param deadAt when the projector gave it up, by the database's clock
 * @param status where it stands
 * @param forwardedAt when the dead-letter stream confirmed its copy, or null
 * @param parkingKey tenant and key that later events wait behind while it is open, or
 * null: none do
 * @param handling what was done to it since
 */
public record DeadLetter(UUID letterId, long number, String projector, @Nullable TenantId tenantId, UUID eventId,
		@Nullable String eventType, @Nullable String orderingKey, RawEvent event, String stream, long streamSequence,
		Instant publishedAt, String reason, @Nullable Failure failure, int attempts, Instant firstFailedAt,
		Instant deadAt, DeadLetterStatus status, @Nullable Instant forwardedAt, @Nullable String parkingKey,
		LetterHandling handling) {
}
