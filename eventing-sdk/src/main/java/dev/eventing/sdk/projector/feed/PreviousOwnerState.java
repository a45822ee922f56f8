package dev.eventing.sdk.projector.feed;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;

/**
 * The state that the previous owner of a projector left.
 *
 * @param settledUpTo events up to this sequence are not suspects, because their
 * deliveries were settled
 * @param suspectUpTo events up to this sequence were handed to a process that did not
 * stop cleanly; 0 if there are none
 * @param waiting events that failed before, with the {@link System#nanoTime time} of
 * their next attempt
 */
public record PreviousOwnerState(long settledUpTo, long suspectUpTo, Map<EventKey, Long> waiting) {

	public static final PreviousOwnerState NONE = new PreviousOwnerState(0, 0, Map.of());

	/**
	 * Creates the state.
	 * @param settledUpTo events up to this sequence are not suspects
	 * @param suspectUpTo later events up to this sequence are suspects; 0 for none
	 * @param left the remaining time until the next attempt of events that failed before
	 */
	public static PreviousOwnerState of(long settledUpTo, long suspectUpTo, Map<EventKey, Duration> left) {
		long now = System.nanoTime();
		Map<EventKey, Long> waiting = new HashMap<>();
		left.forEach((event, wait) -> waiting.put(event, now + wait.toNanos()));
		return new PreviousOwnerState(settledUpTo, suspectUpTo, waiting);
	}

	/**
	 * Marks an event as suspect, and as waiting for its next attempt, according to this
	 * state.
	 */
	public void mark(Work work) {
		if (work.place().sequence() > this.settledUpTo && work.place().sequence() <= this.suspectUpTo
				&& work.routed().hasEvent()) {
			work.setSuspicion(Suspicion.POSSIBLE);
		}
		Long due = (work.routed().hasEvent() && !this.waiting.isEmpty()) ? this.waiting.get(work.routed().eventKey())
				: null;
		if (due != null) {
			work.markAttempted();
			work.setNotBefore(due);
		}
	}

}
