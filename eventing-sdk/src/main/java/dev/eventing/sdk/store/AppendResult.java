package dev.eventing.sdk.store;

/**
 * The result of an append. Events of other streams may have positions between the two.
 *
 * @param version the stream's new version, which is the version of the last event
 * @param firstPosition the position of the first event
 * @param lastPosition the position of the last event
 */
public record AppendResult(long version, long firstPosition, long lastPosition) {

}
