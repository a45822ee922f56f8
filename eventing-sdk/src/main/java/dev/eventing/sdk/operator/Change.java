package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

/**
 * What is to be done with letters, as a request says it.
 *
 * @param selection which letters; null in a request means all
 * @param all must be true for a selection that says nothing, so that a forgotten filter
 * changes no letter
 * @param dryRun whether only to count
 * @param reason why, for the audit; a redrive needs none
 * @param payload of an edit: the other payload as text, or null: the original again
 * @param ratePerSecond of a redrive: how many letters a second at most, or null: as fast
 * as it goes
 */
public record Change(Selection selection, boolean all, boolean dryRun, @Nullable String reason,
		@Nullable String payload, @Nullable Integer ratePerSecond) {

	/** Nothing said of the letters means all of them. */
	public Change(@Nullable Selection selection, boolean all, boolean dryRun, @Nullable String reason,
			@Nullable String payload, @Nullable Integer ratePerSecond) {
		this.selection = (selection != null) ? selection : Selection.ALL;
		this.all = all;
		this.dryRun = dryRun;
		this.reason = reason;
		this.payload = payload;
		this.ratePerSecond = ratePerSecond;
	}

}
