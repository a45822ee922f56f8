package dev.eventing.samples.dashboard.view;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The numbers of one resource: a state of {@link OccupancyView}. Pages get it as JSON
 * with these names.
 *
 * @param title its name for people
 * @param units how many there are
 * @param held how many are held now
 * @param committed how many are taken now
 * @param totals what has happened in all
 * @param history how many were held or taken at the end of each slot of time, for the
 * last {@value #SLOTS} slots. A map and not a list: then the patch that is pushed has the
 * slots that changed, and not all of them
 */
public record Occupancy(String title, long units, long held, long committed, Totals totals,
		SortedMap<Long, Long> history) {

	/** How many slots the chart has. */
	static final int SLOTS = 60;

	/** Before the first event. */
	static final Occupancy NONE = new Occupancy("", 0, 0, 0, Totals.NONE, Collections.emptySortedMap());

	public Occupancy {
		history = Collections.unmodifiableSortedMap(new TreeMap<>(history));
	}

	Occupancy open(String title, long units) {
		return new Occupancy(title, units, this.held, this.committed, this.totals, this.history);
	}

	Occupancy hold(long units) {
		return with(this.held + units, this.committed, this.totals);
	}

	Occupancy commit(long units) {
		return with(this.held - units, this.committed + units, this.totals.commit());
	}

	Occupancy release(long units) {
		return with(this.held, this.committed - units, this.totals.release());
	}

	Occupancy expire(long units) {
		return with(this.held - units, this.committed, this.totals.expire());
	}

	private Occupancy with(long held, long committed, Totals totals) {
		return new Occupancy(this.title, this.units, held, committed, totals, this.history);
	}

	/** With the event counted and drawn. */
	Occupancy at(long slot) {
		TreeMap<Long, Long> slots = new TreeMap<>(this.history);
		// Clocks may be set back; the chart goes forward.
		slots.put(slots.isEmpty() ? slot : Math.max(slot, slots.lastKey()), this.held + this.committed);
		slots.headMap(slots.lastKey() - SLOTS, true).clear();
		return new Occupancy(this.title, this.units, this.held, this.committed, this.totals.event(), slots);
	}

	/** How many are neither held nor taken. */
	public long unreserved() {
		return this.units - this.held - this.committed;
	}

}
