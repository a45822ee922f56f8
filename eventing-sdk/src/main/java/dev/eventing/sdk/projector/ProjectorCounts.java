package dev.eventing.sdk.projector;

/**
 * What happened to a projector's deliveries since it was made in this process.
 *
 * @param processed events whose handler ran and committed
 * @param duplicates deliveries of events that had been processed before, or are dead
 * letters
 * @param skipped events no handler takes
 * @param failedAttempts attempts that failed
 * @param deadLetters events given up
 * @param transactions transactions that committed events
 * @param parked events parked behind a dead letter of their key
 * @param redriven dead letters that a redrive applied
 * @param differing duplicates whose content is not that of the event with their id that
 * was applied
 */
public record ProjectorCounts(long processed, long duplicates, long skipped, long failedAttempts, long deadLetters,
		long transactions, long parked, long redriven, long differing) {
}
