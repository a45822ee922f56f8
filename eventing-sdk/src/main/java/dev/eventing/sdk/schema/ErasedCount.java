package dev.eventing.sdk.schema;

/**
 * A number of things of one kind that an erasure erases.
 *
 * @param what the kind, in the plural
 * @param count how many
 */
public record ErasedCount(String what, long count) {
}
