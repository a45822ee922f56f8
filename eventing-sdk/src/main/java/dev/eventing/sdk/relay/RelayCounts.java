package dev.eventing.sdk.relay;

/**
 * What a relay has done on this node since the process began.
 *
 * @param published events that JetStream has confirmed
 * @param duplicates how many of these it had already under the same message id
 * @param present events that were found in the stream and not published again
 * @param retried publishes that were not confirmed and had to be repeated
 * @param refused events that could not be published
 * @param held events that were held behind one of these
 */
public record RelayCounts(long published, long duplicates, long present, long retried, long refused, long held) {
}
