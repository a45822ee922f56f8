package dev.eventing.sdk.projector.inline;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.transaction.AfterCommit;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Passes the events of one transaction to the listener of a projector after the commit,
 * without those that were rolled back to a savepoint.
 */
final class InlineCommits implements TransactionSynchronization {

	private final AfterCommit listener;

	private final List<RoutedEvent> applied = new ArrayList<>();

	/** How many events were applied before each savepoint. */
	private final IdentityHashMap<Object, Integer> before = new IdentityHashMap<>();

	private InlineCommits(AfterCommit listener) {
		this.listener = listener;
	}

	/** Adds events of the transaction of this thread. */
	static void add(AfterCommit listener, List<RoutedEvent> events) {
		// A transaction manager may run without synchronization.
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			of(listener).applied.addAll(events);
		}
	}

	private static InlineCommits of(AfterCommit listener) {
		for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
			if (each instanceof InlineCommits commits && commits.listener == listener) {
				return commits;
			}
		}
		InlineCommits commits = new InlineCommits(listener);
		TransactionSynchronizationManager.registerSynchronization(commits);
		return commits;
	}

	@Override
	public void savepoint(Object savepoint) {
		this.before.put(savepoint, this.applied.size());
	}

	@Override
	public void savepointRollback(Object savepoint) {
		// a savepoint from before the first of the events is not known here
		int kept = this.before.getOrDefault(savepoint, 0);
		this.applied.subList(kept, this.applied.size()).clear();
	}

	@Override
	public void afterCommit() {
		this.listener.committed(this.applied);
	}

}
