package dev.eventing.sdk.projection.ledger;

/**
 * What the database has of a lane, which is locked until the transaction ends.
 *
 * @param position the events of the lane up to here are settled
 * @param handedOut events of all lanes up to here may have been begun; 0 if none were
 */
public record LockedLane(long position, long handedOut) {
}
