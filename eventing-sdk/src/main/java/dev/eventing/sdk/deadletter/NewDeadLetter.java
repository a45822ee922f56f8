package dev.eventing.sdk.deadletter;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * An event that a projector gives up on, with all it knows about it.
 *
 * @param projector the projector's name
 * @param tenantId whose event it is, or null if that could not be told
 * @param eventId its id; for an event without a readable one, an id that is the same at
 * every delivery of it
 * @param eventType its type on the wire, or null if that could not be told
 * @param orderingKey what its order is kept by, or null
 * @param event subject, headers and payload as they were delivered
 * @param stream the JetStream stream it came from
 * @param streamSequence its place in that stream
 * @param publishedAt when the stream took it in
 * @param reason why it is dead, as a word for machines: {@code ATTEMPTS_EXHAUSTED},
 * {@code NOT_RETRYABLE}, {@code UNKNOWN_TYPE}, {@code PROCESS_DIED},
 * {@code UNREADABLE:...}; or {@code BEHIND}: it is not, but an earlier event of its key
 * is
 * @param failure the last error, or null where there was none
 * @param attempts how often a handler ran; 0 when none ever did
 * @param firstFailedAt when it failed for the first time
 * @param parkingKey the {@link ParkingKey} that later events wait behind, or null: none
 * do
 * @param redriveAfter when it is redriven without being asked for, or null: it is not
 */
public record NewDeadLetter(String projector, @Nullable TenantId tenantId, UUID eventId, @Nullable String eventType,
		@Nullable String orderingKey, RawEvent event, String stream, long streamSequence, Instant publishedAt,
		String reason, @Nullable Failure failure, int attempts, Instant firstFailedAt, @Nullable String parkingKey,
		@Nullable Duration redriveAfter) {

	/** Why an event is parked that only follows a dead one. */
	public static final String BEHIND = "BEHIND";

	/** An event that nothing waits behind and that is redriven on request only. */
	public NewDeadLetter(String projector, @Nullable TenantId tenantId, UUID eventId, @Nullable String eventType,
			@Nullable String orderingKey, RawEvent event, String stream, long streamSequence, Instant publishedAt,
			String reason, @Nullable Failure failure, int attempts, Instant firstFailedAt) {
		this(projector, tenantId, eventId, eventType, orderingKey, event, stream, streamSequence, publishedAt, reason,
				failure, attempts, firstFailedAt, null, null);
	}

}
