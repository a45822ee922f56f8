package dev.eventing.sdk.projector;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Prunes {@code processed_events} in the background. It deletes rows that are older than
 * the retention and whose events cannot be delivered again. For each projector one node
 * at a time does this, under a lease. Each pass reads the whole table, some blocks per
 * transaction. After each transaction it pauses for as long as the transaction took.
 * While a server is unreachable, it skips the affected projectors. After a crash the next
 * pass deletes the remaining rows. Thread-safe.
 */
public interface Pruner {

	/** Returns what this node has pruned, by projector. Sends no request to a server. */
	List<PruningStatus> status();

	/**
	 * Returns what this node has pruned for one projector. Sends no request to a server.
	 */
	PruningStatus status(String projector);

	/**
	 * Returns why the last pass on this node failed, as a whole or for some projectors;
	 * null if it did not. A cause that is gone is named until the next pass has ended.
	 * Sends no request to a server.
	 */
	@Nullable String lastFailure();

}
