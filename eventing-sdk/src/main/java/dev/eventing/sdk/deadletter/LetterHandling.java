package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * Where a dead letter stands, and what was done to it since it was parked.
 *
 * @param status where it stands
 * @param deadAt when the projector gave its event up, by the database's clock
 * @param parkingKey tenant and key that later events wait behind while it is open, or
 * null: none do
 * @param forwardedAt when the dead-letter stream confirmed its copy, or null
 * @param edited the event with the payload a redrive takes in place of the original, or
 * null
 * @param closedAt when it was resolved or discarded, or null while it is open
 * @param redriven what redrives did
 */
public record LetterHandling(DeadLetterStatus status, Instant deadAt, @Nullable String parkingKey,
		@Nullable Instant forwardedAt, @Nullable RawEvent edited, @Nullable Instant closedAt, Redriven redriven) {

	/** How often a redrive ran the handler. */
	public int redrives() {
		return this.redriven.runs();
	}

	/**
	 * What redrives did to a letter.
	 *
	 * @param redriveId the latest redrive it was part of, or null
	 * @param runs how often a redrive ran the handler
	 * @param nextAt when its projector redrives it without being asked for, or null: on
	 * request only
	 */
	public record Redriven(@Nullable UUID redriveId, int runs, @Nullable Instant nextAt) {

		/** No redrive, and none to come. */
		public static final Redriven NEVER = new Redriven(null, 0, null);

	}

}
