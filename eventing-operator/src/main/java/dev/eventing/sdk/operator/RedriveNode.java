package dev.eventing.sdk.operator;

import java.time.Instant;

import dev.eventing.sdk.lease.LeaseHolder;

/**
 * The node that runs the redrives of a projector.
 *
 * @param node its name
 * @param since when it became that node
 */
public record RedriveNode(String node, Instant since) {

	static RedriveNode of(LeaseHolder holder) {
		return new RedriveNode(holder.owner(), holder.acquiredAt());
	}

}
