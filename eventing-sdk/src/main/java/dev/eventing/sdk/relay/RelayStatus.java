package dev.eventing.sdk.relay;

import java.time.Instant;

/**
 * What a relay is doing on this node.
 *
 * @param relay its name
 * @param state what it is doing
 * @param detail why, or what a person should know; may be empty
 * @param since since when it is in this state
 * @param position up to where everything is published or recorded, as this node knows
 * @param window how many events it has read that are not all confirmed
 * @param stoppedStreams how many streams of the event store are stopped behind an event
 * that is refused or whose subject no stream carries; known where it runs
 * @param counts what it has done
 */
public record RelayStatus(String relay, RelayState state, String detail, Instant since, long position, int window,
		int stoppedStreams, RelayCounts counts) {
}
