package dev.eventing.sdk.projector.backfill;

import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;

import dev.eventing.sdk.projection.ledger.Backfilling;
import dev.eventing.sdk.projector.delivery.Work;

/**
 * How far a backfill is: its events up to the position are settled, whatever the order in
 * which lanes settle them. Thread-safe.
 */
final class BackfillPlace {

	/** Handed to lanes, and not settled. */
	private final NavigableSet<Long> unsettled = new TreeSet<>();

	/** Settled after the position. */
	private final NavigableSet<Long> ahead = new TreeSet<>();

	/** All events up to here were handed to lanes. */
	private long read;

	private long position;

	private long events;

	BackfillPlace(Backfilling.Place stored) {
		this.read = stored.position();
		this.position = stored.position();
		this.events = stored.events();
	}

	synchronized long read() {
		return this.read;
	}

	/** Events are handed to lanes. */
	synchronized void handOut(Collection<Work> works) {
		works.forEach((work) -> this.unsettled.add(work.place().sequence()));
	}

	/** All events up to here were handed to lanes, or do not concern the backfill. */
	synchronized void readTo(long upTo) {
		this.read = Math.max(this.read, upTo);
		move();
	}

	/** The transaction of an event has committed. */
	synchronized void settle(long sequence) {
		if (this.unsettled.remove(sequence)) {
			this.ahead.add(sequence);
			move();
		}
	}

	private void move() {
		this.position = this.unsettled.isEmpty() ? this.read : Math.min(this.read, this.unsettled.first() - 1);
		NavigableSet<Long> passed = this.ahead.headSet(this.position, true);
		this.events += passed.size();
		passed.clear();
	}

	/** The number of events that lanes hold. */
	synchronized int unsettled() {
		return this.unsettled.size();
	}

	/**
	 * The place to save.
	 * @param handedOut handlers may have begun events up to here
	 */
	synchronized Backfilling.Place now(long handedOut) {
		return new Backfilling.Place(this.position, Math.max(this.position, handedOut), this.events);
	}

}
