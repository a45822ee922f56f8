package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * What was done to a dead letter since it was parked.
 *
 * @param redriveId the latest redrive it was part of, or null
 * @param redrives how often a redrive ran the handler
 * @param nextRedriveAt when its projector redrives it by itself, or null: on request only
 * @param edited the event with the payload a redrive takes in place of the original, or
 * null
 * @param closedAt when it was resolved or discarded, or null while it is open
 */
public record LetterHandling(@Nullable UUID redriveId, int redrives, @Nullable Instant nextRedriveAt,
		@Nullable RawEvent edited, @Nullable Instant closedAt) {
}
