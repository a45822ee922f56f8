package dev.eventing.sdk.projector;

/**
 * What happened to a projector's deliveries since it was made in this process.
 *
 * @param processed events whose handler ran and committed
 * @param duplicates deliveries of events that had been processed before, or are dead
 * letters
 * @param differing duplicates whose content is not that of the event with their id that
 * was applied
 * @param skipped events no handler takes
 * @param failedAttempts attempts that failed
 * @param transactions transactions that committed events
 * @param letters what became of events that are not applied
 */
public record ProjectorCounts(long processed, long duplicates, long differing, long skipped, long failedAttempts,
		long transactions, Letters letters) {

	/** Events given up. */
	public long deadLetters() {
		return this.letters.dead();
	}

	/** Events parked behind a dead letter of their key. */
	public long parked() {
		return this.letters.parked();
	}

	/** Dead letters that a redrive applied. */
	public long redriven() {
		return this.letters.redriven();
	}

	/**
	 * What became of events that are not applied.
	 *
	 * @param dead events given up
	 * @param parked events parked behind a dead letter of their key
	 * @param redriven dead letters that a redrive applied
	 */
	public record Letters(long dead, long parked, long redriven) {
	}

}
