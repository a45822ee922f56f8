package dev.eventing.sdk.operator;

/**
 * The result of a discard, or of its dry run.
 *
 * @param letters the number of letters
 * @param dryRun whether nothing was changed
 */
public record DiscardView(long letters, boolean dryRun) {
}
