package dev.eventing.sdk.projector;

import java.time.Instant;
import java.util.Map;

import dev.eventing.sdk.idempotency.EventKey;

/**
 * What the owner before left behind.
 *
 * @param suspectUpTo up to here events were handed to a process that did not stop in
 * order; 0 for none
 * @param waiting events that failed before, with the time of their next attempt
 */
record Legacy(long suspectUpTo, Map<EventKey, Instant> waiting) {

	static final Legacy NONE = new Legacy(0, Map.of());

	/** Tells an event what became of it before. */
	void mark(Work work) {
		if (work.place().sequence() <= this.suspectUpTo) {
			work.markSuspect();
		}
		Instant due = (work.hasEvent() && !this.waiting.isEmpty()) ? this.waiting.get(work.eventKey()) : null;
		if (due != null) {
			work.markAttempted();
			work.setNotBefore(due);
		}
	}

}
