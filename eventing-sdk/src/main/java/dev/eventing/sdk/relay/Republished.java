package dev.eventing.sdk.relay;

/**
 * What came of publishing a range again.
 *
 * @param published events JetStream has stored
 * @param duplicates events it had already, by their message ids
 * @param refused events that cannot be published
 */
public record Republished(long published, long duplicates, long refused) {
}
