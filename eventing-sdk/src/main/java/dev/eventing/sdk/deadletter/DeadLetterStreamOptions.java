package dev.eventing.sdk.deadletter;

/**
 * What happens to dead letters outside the ledger.
 *
 * @param forward whether each letter is also published to the dead-letter stream
 * @param captureAdvisories whether events become letters that JetStream gave up, or that
 * another client terminated; needs a small stream for the server's advisories
 */
public record DeadLetterStreamOptions(boolean forward, boolean captureAdvisories) {

	/** The defaults: letters are forwarded, advisories are not captured. */
	public static DeadLetterStreamOptions defaults() {
		return new DeadLetterStreamOptions(true, false);
	}

}
