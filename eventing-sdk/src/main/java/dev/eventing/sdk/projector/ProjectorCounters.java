package dev.eventing.sdk.projector;

import java.util.concurrent.atomic.LongAdder;

/** What happened to a projector's deliveries since it was made. Thread-safe. */
final class ProjectorCounters {

	final LongAdder processed = new LongAdder();

	final LongAdder duplicates = new LongAdder();

	final LongAdder differing = new LongAdder();

	final LongAdder skipped = new LongAdder();

	final LongAdder failedAttempts = new LongAdder();

	final LongAdder deadLetters = new LongAdder();

	final LongAdder parked = new LongAdder();

	final LongAdder redriven = new LongAdder();

	final LongAdder transactions = new LongAdder();

	ProjectorCounts snapshot() {
		return new ProjectorCounts(this.processed.sum(), this.duplicates.sum(), this.skipped.sum(),
				this.failedAttempts.sum(), this.deadLetters.sum(), this.transactions.sum(), this.parked.sum(),
				this.redriven.sum(), this.differing.sum());
	}

}
