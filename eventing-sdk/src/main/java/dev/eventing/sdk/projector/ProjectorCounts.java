package dev.eventing.sdk.projector;

/**
 * The counts of a projector since it was created in this process.
 *
 * @param processed events whose handler ran and committed
 * @param duplicates deliveries of events that were processed before, or are dead letters
 * @param differing duplicates whose content differs from that of the applied event with
 * their id
 * @param skipped events that no handler takes
 * @param failedAttempts attempts that failed
 * @param transactions transactions that committed events
 * @param letters counts of dead letters
 */
public record ProjectorCounts(long processed, long duplicates, long differing, long skipped, long failedAttempts,
		long transactions, Letters letters) {

	/** Events that became dead letters, without parked followers. */
	public long deadLetters() {
		return this.letters.dead();
	}

	/** Events parked after a dead letter of their key. */
	public long parked() {
		return this.letters.parked();
	}

	/** Dead letters that a redrive applied. */
	public long redriven() {
		return this.letters.redriven();
	}

	/**
	 * Counts of dead letters.
	 *
	 * @param dead events that became dead letters, without parked followers
	 * @param parked events parked after a dead letter of their key
	 * @param redriven dead letters that a redrive applied
	 */
	public record Letters(long dead, long parked, long redriven) {
	}

}
