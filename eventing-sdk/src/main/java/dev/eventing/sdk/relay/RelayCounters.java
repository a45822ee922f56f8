package dev.eventing.sdk.relay;

import java.util.concurrent.atomic.LongAdder;

/** The counters of a relay. Thread-safe. */
final class RelayCounters {

	private final LongAdder published = new LongAdder();

	private final LongAdder duplicates = new LongAdder();

	private final LongAdder present = new LongAdder();

	private final LongAdder retried = new LongAdder();

	private final LongAdder refused = new LongAdder();

	private final LongAdder held = new LongAdder();

	void published(boolean duplicate) {
		this.published.increment();
		if (duplicate) {
			this.duplicates.increment();
		}
	}

	void present() {
		this.present.increment();
	}

	void retried() {
		this.retried.increment();
	}

	void refused() {
		this.refused.increment();
	}

	void held() {
		this.held.increment();
	}

	RelayCounts counts() {
		return new RelayCounts(this.published.sum(), this.duplicates.sum(), this.present.sum(), this.retried.sum(),
				this.refused.sum(), this.held.sum());
	}

}
