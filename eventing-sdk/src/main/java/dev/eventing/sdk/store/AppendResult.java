package dev.eventing.sdk.store;

/**
 * Where events were appended. Between the two positions may lie events of other streams.
 *
 * @param version of the stream now: the version of the last event
 * @param firstPosition of the first event
 * @param lastPosition of the last event
 */
public record AppendResult(long version, long firstPosition, long lastPosition) {

}
