package dev.eventing.sdk.projector;

import java.time.Instant;

/**
 * The status of a projector at one moment.
 *
 * @param projector its name
 * @param state its state
 * @param detail more information about the state
 * @param since when the state began
 * @param inFlight the deliveries that it holds and has not settled
 * @param waitingForRetry how many of these wait for their own retry or for that of an
 * earlier event of their key
 * @param pending the number of unread events: for JetStream when the last delivery was
 * sent or the position was last saved, for the event store when the position was last
 * saved
 * @param counts its counts since it was created in this process
 */
public record ProjectorStatus(String projector, ProjectorState state, String detail, Instant since, int inFlight,
		int waitingForRetry, long pending, ProjectorCounts counts) {
}
