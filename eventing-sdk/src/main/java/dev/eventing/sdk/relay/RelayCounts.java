package dev.eventing.sdk.relay;

/**
 * What a relay has done on this node since the process started.
 *
 * @param published events that JetStream has confirmed
 * @param duplicates confirmed events that JetStream had already under the same message id
 * @param present events that were found in the stream and not published again
 * @param retried publishes that were not confirmed and were repeated
 * @param refused events that could not be published
 * @param held events that were held because of a refused or waiting event
 */
public record RelayCounts(long published, long duplicates, long present, long retried, long refused, long held) {
}
