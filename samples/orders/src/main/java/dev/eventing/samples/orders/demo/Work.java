package dev.eventing.samples.orders.demo;

import java.util.Locale;

import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorStatus;

/**
 * What one projector had to do and what it did.
 *
 * @param events different events the stream has for it
 * @param copies how often the stream has one of these once more
 * @param status what it did
 */
public record Work(long events, long copies, ProjectorStatus status) {

	/** What the projector counted. */
	public ProjectorCounts counts() {
		return this.status.counts();
	}

	/** Whether every event was applied or given up, and every copy was skipped. */
	boolean isDone() {
		return concluded() >= this.events && counts().duplicates() >= this.copies && this.status.inFlight() == 0;
	}

	/**
	 * Whether each event was concluded once. There may be more duplicates than copies:
	 * JetStream repeats a delivery whose acknowledgement is late.
	 */
	boolean isRight() {
		return concluded() == this.events && counts().duplicates() >= this.copies;
	}

	private long concluded() {
		return counts().processed() + counts().deadLetters();
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "%s %,d of %,d", this.status.projector(), concluded(), this.events);
	}

}
