package dev.eventing.samples.orders.demo;

import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorStatus;

/**
 * The work of one projector, planned and done.
 *
 * @param events events there are for it
 * @param copies how often the stream has one of these once more
 * @param status what it did
 */
public record Work(long events, long copies, ProjectorStatus status) {

	/** The projector's counts. */
	public ProjectorCounts counts() {
		return this.status.counts();
	}

	/**
	 * Whether each event was concluded once. There may be more duplicates than copies:
	 * JetStream repeats a delivery whose acknowledgement is late.
	 */
	boolean isRight() {
		return concluded() == this.events && counts().duplicates() >= this.copies;
	}

	private long concluded() {
		return counts().processed() + counts().deadLetters() + counts().parked();
	}

}
