package dev.eventing.sdk.worker;

import java.time.Instant;

/**
 * Why a worker does not work at this moment: its work ended unexpectedly and begins again
 * after a pause.
 *
 * @param worker the worker's name
 * @param error the class and the message of what was thrown
 * @param failures how often in a row
 * @param at when it was thrown last
 */
public record WorkerFailure(String worker, String error, int failures, Instant at) {

	/** One sentence for an operator. */
	public String describe() {
		return "'" + this.worker + "' ended unexpectedly " + ((this.failures == 1) ? "" : this.failures + " times ")
				+ "and begins again: " + this.error;
	}

}
