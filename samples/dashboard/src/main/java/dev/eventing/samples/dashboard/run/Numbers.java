package dev.eventing.samples.dashboard.run;

import dev.eventing.samples.dashboard.view.Occupancy;

/**
 * The numbers that a page shows of one resource, or should show.
 *
 * @param title the resource's name
 * @param unreserved how many are free
 * @param held how many are held
 * @param committed how many are taken
 * @param commits how many reservations were taken in all
 * @param releases how many ended in all
 * @param expiries how many expired in all
 * @param slots how many points the chart has
 */
record Numbers(String title, long unreserved, long held, long committed, long commits, long releases, long expiries,
		long slots) {

	/** The numbers that a page should show of a state. */
	static Numbers of(Occupancy state) {
		return new Numbers(state.title(), state.unreserved(), state.held(), state.committed(),
				state.totals().committed(), state.totals().released(), state.totals().expired(),
				state.history().size());
	}

}
