package dev.eventing.sdk.worker;

import java.time.Instant;

/**
 * Why a worker does not run now: its work ended unexpectedly and restarts after a pause.
 *
 * @param worker the worker's name
 * @param error the class and the message of the exception
 * @param failures the number of consecutive failures
 * @param at the time of the last failure
 */
public record WorkerFailure(String worker, String error, int failures, Instant at) {

	/** One sentence for an operator. */
	public String describe() {
		return "'" + this.worker + "' ended unexpectedly " + ((this.failures == 1) ? "" : this.failures + " times ")
				+ "and restarts: " + this.error;
	}

}
