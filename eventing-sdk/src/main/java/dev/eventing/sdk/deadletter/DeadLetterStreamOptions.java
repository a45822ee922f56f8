package dev.eventing.sdk.deadletter;

/**
 * What happens to dead letters beside the ledger.
 *
 * @param forward whether each letter is also published to the dead-letter stream
 * @param captureAdvisories whether events that JetStream gave up, or that somebody else
 * terminated, become letters; keeps a small stream of the server's advisories for that
 */
public record DeadLetterStreamOptions(boolean forward, boolean captureAdvisories) {

	/** Letters are forwarded, advisories are not captured. */
	public static DeadLetterStreamOptions defaults() {
		return new DeadLetterStreamOptions(true, false);
	}

}
