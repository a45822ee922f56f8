package dev.eventing.sdk.relay;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.nats.StreamTail;
import dev.eventing.sdk.relay.JdbcRelayPositions.Mark;
import dev.eventing.sdk.relay.LateEvents.LostEnd;

/**
 * Where a relay continues after it has compared the streams with its saved state.
 *
 * @param position the position after which it reads
 * @param reached the position up to which it had published before; higher than the
 * position if a stream has lost its tail
 * @param lost the streams that have lost their tails; only these need the events between
 * the two positions
 * @param ends the same streams, and those whose events an operator must publish again
 * @param present the events after the position that were found in a stream
 * @param marks the ends of the streams
 * @param seal the relay's seal
 * @param warning what an operator must know; may be empty
 */
record Resumption(long position, long reached, List<StreamTail> lost, List<LostEnd> ends, Map<Long, UUID> present,
		Map<String, Mark> marks, RelaySeal seal, String warning) {
}
