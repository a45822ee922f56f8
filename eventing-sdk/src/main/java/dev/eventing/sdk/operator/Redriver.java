package dev.eventing.sdk.operator;

import java.time.Instant;

import dev.eventing.sdk.lease.LeaseHolder;

/**
 * The node that runs the redrives of a projector.
 *
 * @param node its name
 * @param since when it became that node
 */
public record Redriver(String node, Instant since) {

	static Redriver of(LeaseHolder holder) {
		return new Redriver(holder.owner(), holder.acquiredAt());
	}

}
