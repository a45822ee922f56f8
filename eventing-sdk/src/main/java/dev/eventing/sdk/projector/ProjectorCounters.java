package dev.eventing.sdk.projector;

import java.util.concurrent.atomic.LongAdder;

/** What happened to a projector's deliveries since it was made. Thread-safe. */
final class ProjectorCounters {

	final LongAdder processed = new LongAdder();

	final LongAdder duplicates = new LongAdder();

	final LongAdder skipped = new LongAdder();

	final LongAdder failedAttempts = new LongAdder();

	final LongAdder deadLetters = new LongAdder();

	final LongAdder transactions = new LongAdder();

	Counts snapshot() {
		return new Counts(this.processed.sum(), this.duplicates.sum(), this.skipped.sum(), this.failedAttempts.sum(),
				this.deadLetters.sum(), this.transactions.sum());
	}

	/**
	 * Counts since the projector was made in this process.
	 *
	 * @param processed events whose handler ran and committed
	 * @param duplicates deliveries of events that had been processed before
	 * @param skipped events no handler takes
	 * @param failedAttempts attempts that failed
	 * @param deadLetters events given up
	 * @param transactions transactions that committed events
	 */
	public record Counts(long processed, long duplicates, long skipped, long failedAttempts, long deadLetters,
			long transactions) {
	}

}
