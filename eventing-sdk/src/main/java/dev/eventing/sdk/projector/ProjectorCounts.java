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
 */
public record ProjectorCounts(long processed, long duplicates, long skipped, long failedAttempts, long deadLetters,
		long transactions) {
}
