package dev.eventing.sdk.projector.delivery;

import java.time.Duration;

/**
 * Settles one event at its source. An event is settled once: by ack, nak or term. None of
 * these waits for an answer. Thread-safe.
 */
public interface Settler {

	/** Settles nothing: a transaction does, or nothing has to. */
	Settler NONE = new Settler() {

		@Override
		public void acknowledge() {
			// nobody waits for it
		}

		@Override
		public void term(String reason) {
			// nobody waits for it
		}

		@Override
		public void nak() {
			// nobody delivers it again
		}

		@Override
		public void nak(Duration delay) {
			// nobody delivers it again
		}

		@Override
		public void inProgress() {
			// nobody waits for it
		}

	};

	/** Whether the source would still redeliver the event after a nak with this delay. */
	default boolean isKeptFor(Duration delay) {
		return true;
	}

	/**
	 * Settles through a later delivery of the same event from now on, because the earlier
	 * delivery may no longer count.
	 * @return false if this source does not deliver an event twice
	 */
	default boolean renewFrom(Settler later) {
		return false;
	}

	/** Acknowledges the event. */
	void acknowledge();

	/** Terminates the event: it is not delivered again. A dead letter keeps it. */
	void term(String reason);

	/** Requests redelivery at once. */
	void nak();

	/** Requests redelivery after the delay. */
	void nak(Duration delay);

	/** Signals that the work is still in progress. */
	void inProgress();

}
