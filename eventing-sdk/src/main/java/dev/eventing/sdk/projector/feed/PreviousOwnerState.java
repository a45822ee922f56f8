package dev.eventing.sdk.projector.feed;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;

/**
 * What the owner before left behind.
 *
 * @param settledUpTo up to here nothing is suspect: its deliveries were settled
 * @param suspectUpTo up to here events were handed to a process that did not stop in
 * order; 0 for none
 * @param waiting events that failed before, with the {@link System#nanoTime time} of
 * their next attempt
 */
public record PreviousOwnerState(long settledUpTo, long suspectUpTo, Map<EventKey, Long> waiting) {

	public static final PreviousOwnerState NONE = new PreviousOwnerState(0, 0, Map.of());

	/**
	 * What was left behind.
	 * @param settledUpTo up to where nothing is suspect
	 * @param left what is left now until the next attempt of events that failed before
	 */
	public static PreviousOwnerState of(long settledUpTo, long suspectUpTo, Map<EventKey, Duration> left) {
		long now = System.nanoTime();
		Map<EventKey, Long> waiting = new HashMap<>();
		left.forEach((event, wait) -> waiting.put(event, now + wait.toNanos()));
		return new PreviousOwnerState(settledUpTo, suspectUpTo, waiting);
	}

	/** Tells an event what became of it before. */
	public void mark(Work work) {
		if (work.place().sequence() > this.settledUpTo && work.place().sequence() <= this.suspectUpTo
				&& work.hasEvent()) {
			work.setSuspicion(Suspicion.POSSIBLE);
		}
		Long due = (work.hasEvent() && !this.waiting.isEmpty()) ? this.waiting.get(work.eventKey()) : null;
		if (due != null) {
			work.markAttempted();
			work.setNotBefore(due);
		}
	}

}
