package dev.eventing.samples.dashboard.view;

/**
 * The counts of all events of a resource.
 *
 * @param events of how many events its numbers are made
 * @param committed how many reservations were taken
 * @param released how many of these ended
 * @param expired how many were held and never taken
 */
public record Totals(long events, long committed, long released, long expired) {

	static final Totals NONE = new Totals(0, 0, 0, 0);

	Totals event() {
		return new Totals(this.events + 1, this.committed, this.released, this.expired);
	}

	Totals commit() {
		return new Totals(this.events, this.committed + 1, this.released, this.expired);
	}

	Totals release() {
		return new Totals(this.events, this.committed, this.released + 1, this.expired);
	}

	Totals expire() {
		return new Totals(this.events, this.committed, this.released, this.expired + 1);
	}

}
