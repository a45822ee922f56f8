package dev.eventing.sdk.deadletter;

/**
 * What happens to dead letters beside the ledger.
 *
 * @param forward whether each letter is also published to the dead-letter stream
 * @param captureAdvisories whether events that JetStream gave up, or that somebody else
 * terminated, become letters; keeps a small stream of the server's advisories for that
 */
public record DeadLetterOptions(boolean forward, boolean captureAdvisories) {

	/** Letters are forwarded, advisories are not captured. */
	public static DeadLetterOptions defaults() {
		return new DeadLetterOptions(true, false);
	}

}
