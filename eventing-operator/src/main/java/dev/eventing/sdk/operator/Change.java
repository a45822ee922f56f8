package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

/**
 * A requested change of letters.
 *
 * @param selection the letters; null in a request means all
 * @param all must be true if the selection has no condition, so that a forgotten filter
 * changes no letter
 * @param dryRun whether only to count
 * @param reason the reason of a discard or an edit, for the audit
 * @param payload the new payload of an edit as text, or null to restore the original
 * @param ratePerSecond the most letters a redrive runs per second, or null for no limit
 */
public record Change(Selection selection, boolean all, boolean dryRun, @Nullable String reason,
		@Nullable String payload, @Nullable Integer ratePerSecond) {

	/** A null selection means all letters. */
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
