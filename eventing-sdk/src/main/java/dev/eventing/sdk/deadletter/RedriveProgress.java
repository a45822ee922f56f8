package dev.eventing.sdk.deadletter;

import java.util.UUID;

/**
 * The progress of a redrive. It does not count letters that later redrives took over, or
 * that were opened again.
 *
 * @param redriveId the id of the redrive
 * @param waiting the number of letters still to be run
 * @param resolved the number of letters that were applied
 * @param parked the number of letters that failed again, or are parked after one that did
 * @param discarded the number of letters that were discarded since
 */
public record RedriveProgress(UUID redriveId, long waiting, long resolved, long parked, long discarded) {

	/** Whether no letter is left to be run. */
	public boolean isOver() {
		return this.waiting == 0;
	}

	/** The number of letters that it counts. */
	public long letters() {
		return this.waiting + this.resolved + this.parked + this.discarded;
	}

}
