package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

/**
 * The status of a dead letter, and what happened to it since it was parked.
 *
 * @param status its status
 * @param deadAt when the projector gave its event up, by the database's clock
 * @param parkingKey the {@link ParkingKey}: later events of this tenant and key are
 * parked while the letter is open. Null if they are not parked.
 * @param forwardedAt when the dead-letter stream confirmed its copy, or null
 * @param edited the event with the edited payload that redrives use, or null
 * @param closedAt when it was resolved or discarded, or null while it is open
 * @param redriven its redrives
 */
public record LetterHandling(DeadLetterStatus status, Instant deadAt, @Nullable String parkingKey,
		@Nullable Instant forwardedAt, @Nullable RawEvent edited, @Nullable Instant closedAt, Redriven redriven) {

	/** How many times redrives ran the handler. */
	public int redrives() {
		return this.redriven.runs();
	}

	/**
	 * The redrives of a letter.
	 *
	 * @param redriveId the latest redrive that contained the letter, or null
	 * @param runs how many times redrives ran the handler
	 * @param nextAt when its projector redrives it automatically, or null if only on
	 * request
	 */
	public record Redriven(@Nullable UUID redriveId, int runs, @Nullable Instant nextAt) {

		/** No redrive so far, and no automatic redrive. */
		public static final Redriven NEVER = new Redriven(null, 0, null);

	}

}
