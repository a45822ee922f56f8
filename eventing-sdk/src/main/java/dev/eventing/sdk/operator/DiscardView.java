package dev.eventing.sdk.operator;

/**
 * Letters that were discarded, or would be.
 *
 * @param letters how many
 */
public record DiscardView(long letters) {
}
