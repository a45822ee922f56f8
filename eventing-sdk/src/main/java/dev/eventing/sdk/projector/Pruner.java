package dev.eventing.sdk.projector;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Prunes {@code processed_events} in the background: deletes rows that are older than the
 * retention and whose events no delivery can bring again. Of each projector one node at a
 * time does it, by a lease. It goes over the table now and then, some blocks per
 * transaction, and rests as long as it worked. While a server is away it skips the
 * projectors concerned. A crash leaves rows that the next pass deletes. Thread-safe.
 */
public interface Pruner extends SmartLifecycle {

	/** What the lease of a projector's pruning begins with. */
	String LEASE_PREFIX = "pruning/";

	/** What this node has pruned, by projector; asks nobody. */
	List<PruningStatus> status();

	/** What this node has pruned of one projector; asks nobody. */
	PruningStatus status(String projector);

	/**
	 * Why its last pass on this node failed, or of which projectors it could prune
	 * nothing, and why. Null if neither; so a cause that is gone is named until the next
	 * pass has ended. Asks nobody.
	 */
	@Nullable String lastFailure();

}
