package dev.eventing.sdk.nats;

import java.time.Instant;

/**
 * Where a durable consumer stands.
 *
 * @param stream the stream's name
 * @param streamCreated when the stream was made: tells its incarnations apart
 * @param floor the stream sequence up to which everything is settled
 * @param delivered the highest stream sequence handed over so far
 * @param handedOut how many hand-overs there were so far, those of one event each counted
 * @param unsettled how many deliveries are not settled
 * @param pending how many events wait to be delivered for the first time
 * @param lastInStream the last sequence of the stream, of whichever subject
 * @param requests how many requests for deliveries are open
 */
public record DurableState(String stream, Instant streamCreated, long floor, long delivered, long handedOut,
		long unsettled, long pending, long lastInStream, int requests) {
}
