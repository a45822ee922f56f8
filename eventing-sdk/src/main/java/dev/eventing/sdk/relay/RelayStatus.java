package dev.eventing.sdk.relay;

import java.time.Instant;

/**
 * The status of a relay on this node.
 *
 * @param relay its name
 * @param state its state
 * @param detail the reason, or what an operator should know; may be empty
 * @param since when it entered this state
 * @param position the position up to which all events are published or recorded, as far
 * as this node knows
 * @param window the number of events in the window
 * @param stoppedStreams the number of streams of the event store that are stopped by an
 * event that is refused or that nothing takes now; known only on the node that publishes
 * @param counts what it has done
 */
public record RelayStatus(String relay, RelayState state, String detail, Instant since, long position, int window,
		int stoppedStreams, RelayCounts counts) {
}
