package dev.eventing.sdk.projector.delivery;

import java.util.concurrent.atomic.LongAdder;

import dev.eventing.sdk.projector.ProjectorCounts;

/** The counters of a projector since it was created in this process. Thread-safe. */
public final class ProjectorCounters {

	public final LongAdder processed = new LongAdder();

	public final LongAdder duplicates = new LongAdder();

	public final LongAdder differing = new LongAdder();

	public final LongAdder skipped = new LongAdder();

	public final LongAdder failedAttempts = new LongAdder();

	public final LongAdder deadLetters = new LongAdder();

	public final LongAdder parked = new LongAdder();

	public final LongAdder redriven = new LongAdder();

	public final LongAdder transactions = new LongAdder();

	public ProjectorCounts snapshot() {
		return new ProjectorCounts(this.processed.sum(), this.duplicates.sum(), this.differing.sum(),
				this.skipped.sum(), this.failedAttempts.sum(), this.transactions.sum(),
				new ProjectorCounts.Letters(this.deadLetters.sum(), this.parked.sum(), this.redriven.sum()));
	}

}
