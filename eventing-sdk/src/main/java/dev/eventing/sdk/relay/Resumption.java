package dev.eventing.sdk.relay;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.nats.StreamTail;
import dev.eventing.sdk.relay.JdbcRelayPositions.Mark;

/**
 * Where a relay goes on, after it has compared the streams with what it remembers.
 *
 * @param position behind which it reads on
 * @param reached up to where it had published before; further than the position if a
 * stream has lost its tail
 * @param lost the streams that have lost their tails: only these need what lies between
 * @param present the events behind the position that were found in a stream
 * @param marks the ends of the streams
 * @param seal the relay's own
 * @param warning what a person must know; empty if there is nothing
 */
record Resumption(long position, long reached, List<StreamTail> lost, Map<Long, UUID> present, Map<String, Mark> marks,
		RelaySeal seal, String warning) {
}
