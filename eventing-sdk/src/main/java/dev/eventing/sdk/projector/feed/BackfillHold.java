package dev.eventing.sdk.projector.feed;

import java.time.Instant;

/** A backfill's demands on the live feed, which reads on beside it. */
public interface BackfillHold {

	/** There is no backfill. */
	BackfillHold NONE = new BackfillHold() {

		@Override
		public boolean holds(long position, String type) {
			return false;
		}

		@Override
		public boolean isReading() {
			return false;
		}

		@Override
		public Instant keepsAttemptsOf(Instant outstanding) {
			return outstanding;
		}

	};

	/**
	 * Whether an event must not be passed on yet, and none after it: events of its type
	 * that lie before it are still to be applied. Also if it cannot be read: they would
	 * be parked behind its letter.
	 */
	boolean holds(long position, String type);

	/** Whether it reads events, so that no one may wait for other events meanwhile. */
	boolean isReading();

	/**
	 * Since when attempts may concern events that are still to be applied.
	 * @param outstanding the same for the live feed
	 */
	Instant keepsAttemptsOf(Instant outstanding);

}
