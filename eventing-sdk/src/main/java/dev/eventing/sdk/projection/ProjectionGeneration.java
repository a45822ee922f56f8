package dev.eventing.sdk.projection;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One filling of a read model from events.
 *
 * @param generation its number
 * @param version the version of the code that feeds it
 * @param status its status
 * @param filledTo the position in its source up to which it is filled before the
 * projector continues, or to show the read model as it was; null if it follows the source
 * from its beginning
 * @param times when it changed
 * @param schema the schema of its tables; null if it is retired, or no node has looked
 * yet
 * @param failure why it cannot continue, or null
 * @param note what operators should know of it, such as why it cannot become live again;
 * null if there is nothing to say
 */
public record ProjectionGeneration(int generation, int version, Status status, @Nullable Long filledTo, Times times,
		@Nullable String schema, @Nullable String failure, @Nullable String note) {

	/**
	 * Whether it shows the read model as it was at a position, or is being filled for
	 * that. Then it never becomes live.
	 */
	public boolean isPast() {
		return this.status == Status.PAST || (this.status == Status.BUILDING && this.filledTo != null);
	}

	/**
	 * When a generation changed.
	 *
	 * @param begunAt when its tables were empty, for the last time if the code changed
	 * meanwhile
	 * @param liveAt when readers began to see it filled; null before that
	 * @param retiredAt when it was replaced or dropped; null before that
	 */
	public record Times(Instant begunAt, @Nullable Instant liveAt, @Nullable Instant retiredAt) {
	}

	/** The status of a generation. */
	public enum Status {

		/** It is being filled where readers see it. */
		FILLING,

		/** It is filled, and the projector feeds it. */
		LIVE,

		/** It is being filled beside the live one. */
		BUILDING,

		/** It has met the end of its source, beside the live one, and follows it. */
		READY,

		/**
		 * It shows the read model as it was at the position to which it is filled. It is
		 * not fed, and never becomes live.
		 */
		PAST,

		/** It was live, and is still fed. */
		STANDBY,

		/** It was live, and is not fed any more: there is no way back to it. */
		STALE,

		/** It cannot continue. Its tables are left as they are. */
		FAILED,

		/** It is replaced or dropped. */
		RETIRED;

		/** Whether it is fed beside the live one, or filled up to a position. */
		public boolean isFed() {
			return this == BUILDING || this == READY || this == STANDBY;
		}

		/** Whether it was live before the live one. */
		public boolean wasLive() {
			return this == STANDBY || this == STALE;
		}

		/** Whether it stands beside the live one. */
		public boolean isBeside() {
			return isFed() || this == PAST || this == STALE || this == FAILED;
		}

	}

}
