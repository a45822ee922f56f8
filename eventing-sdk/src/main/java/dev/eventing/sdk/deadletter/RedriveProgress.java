package dev.eventing.sdk.deadletter;

import java.util.UUID;

/**
 * How far a redrive is. Letters that later redrives took over, or that were opened again
 * since, are not counted any more.
 *
 * @param redriveId which redrive
 * @param waiting how many letters are still to be run
 * @param resolved how many were applied
 * @param parked how many failed again, or stay behind one that did
 * @param discarded how many were discarded meanwhile
 */
public record RedriveProgress(UUID redriveId, long waiting, long resolved, long parked, long discarded) {

	/** Whether nothing is left to be run. */
	public boolean isOver() {
		return this.waiting == 0;
	}

	/** How many letters in all. */
	public long letters() {
		return this.waiting + this.resolved + this.parked + this.discarded;
	}

}
