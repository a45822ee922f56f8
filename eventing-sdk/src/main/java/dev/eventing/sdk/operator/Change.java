package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

/**
 * What is to be done with letters, and who answers for it.
 *
 * @param tenant the tenant whose letters alone can be meant, or null: those of all
 * @param selection which letters
 * @param all must be true for a selection that says nothing, so that a forgotten filter
 * changes no letter
 * @param dryRun whether only to count
 * @param actor who wants it
 */
public record Change(@Nullable String tenant, Selection selection, boolean all, boolean dryRun,
		@Nullable String actor) {
}
