package dev.eventing.sdk.console;

import dev.eventing.sdk.operator.Selection;
import org.jspecify.annotations.Nullable;

/**
 * A change as the page asks for it.
 *
 * @param selection which letters; null for all of them
 * @param all must be true where the selection says nothing
 * @param dryRun whether only to count
 * @param reason why, of a discard or an edit
 * @param payload the other payload as text, or null: the original again
 */
record Wish(@Nullable Selection selection, boolean all, boolean dryRun, @Nullable String reason,
		@Nullable String payload) {

	Selection selectionOrAll() {
		return (this.selection != null) ? this.selection : Selection.ALL;
	}

}
