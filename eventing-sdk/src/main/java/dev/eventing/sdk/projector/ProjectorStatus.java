package dev.eventing.sdk.projector;

import java.time.Instant;

/**
 * What a projector is doing at one moment.
 *
 * @param projector its name
 * @param state its state
 * @param detail the state in words
 * @param since when the state began
 * @param inFlight deliveries it holds and has not settled
 * @param waitingForRetry how many of these wait for a retry, their own or an earlier one
 * of their key
 * @param pending events of its durable that had not been delivered when the last one was
 * @param counts what it did since it was made
 */
public record ProjectorStatus(String projector, ProjectorState state, String detail, Instant since, int inFlight,
		int waitingForRetry, long pending, ProjectorCounts counts) {
}
