package dev.eventing.sdk.projection;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A projector at one moment, as the view {@code projector_overview} shows it.
 *
 * @param name its name
 * @param generation which filling of its read model this is
 * @param status what it does
 * @param position the position in the event store up to which all its events are settled,
 * or for JetStream the sequence in its stream; null if it has none yet
 * @param behind how far it lags; for JetStream as its node last reported
 * @param owner the node that owns it; null if no node does, or nodes compete for events
 * @param openLetters the number of its open dead letters
 * @param updatedAt when its node last reported it, or its position last moved, by the
 * database's clock; null if neither happened
 */
public record ProjectorOverview(String name, Generation generation, Status status, @Nullable Long position,
		Behind behind, @Nullable String owner, long openLetters, @Nullable Instant updatedAt) {

	/** Whether a node runs it, or stands by to do so. */
	public boolean hasNode() {
		return !this.status.state().equals(Status.NO_NODE);
	}

	/**
	 * A filling of a read model from events.
	 *
	 * @param number its number, from 1
	 * @param role what it is for: {@code live} if readers see it
	 */
	public record Generation(int number, String role) {
	}

	/**
	 * The state of a projector.
	 *
	 * @param state the name of its {@code ProjectorState} on the node that runs it, as
	 * reported a few seconds ago; {@code PAUSED} as soon as a pause is stored;
	 * {@value #NO_NODE} if no node runs it; {@code UNREPORTED} if its owner does not
	 * report
	 * @param detail more information for operators, or null; of a paused projector who
	 * paused it and why
	 * @param paused whether it is paused, also if no node runs it
	 */
	public record Status(String state, @Nullable String detail, boolean paused) {

		/** The state if no node runs the projector. */
		public static final String NO_NODE = "NO_NODE";

		/** The state if its first events all failed for one reason. */
		public static final String PAUSED_BY_FAILURES = "PAUSED_BY_FAILURES";

		/** Whether a resume changes anything. */
		public boolean isHeldUp() {
			return this.paused || this.state.equals(PAUSED_BY_FAILURES);
		}

	}

}
