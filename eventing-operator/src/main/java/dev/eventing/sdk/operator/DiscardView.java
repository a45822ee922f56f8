package dev.eventing.sdk.operator;

/**
 * The result of a discard, or of its dry run.
 *
 * @param letters the number of letters
 */
public record DiscardView(long letters) {
}
