package dev.eventing.sdk.relay;

/**
 * The result of publishing a range again.
 *
 * @param published events that JetStream has stored
 * @param duplicates events that it had already, by their message ids
 * @param refused events that cannot be published
 */
public record Republished(long published, long duplicates, long refused) {
}
