package dev.eventing.sdk.projector.feed.store;

import java.util.concurrent.atomic.AtomicLongArray;

import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.delivery.Work;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * How far the lanes are that fill a generation, from a start of the projector to its
 * stop. They are looked at and moved in the transactions that settle events. No claims
 * say which events are settled. So if the database has lost commits, no event behind a
 * lost one may be settled: a transaction that finds its lane further back than this node
 * left it does not commit. Thread-safe.
 */
final class FilledLanes {

	private final Filling filling;

	private final FillingLedger ledger;

	/** The position of each lane that is known to be committed. */
	private final AtomicLongArray committed;

	/** Sends no query. */
	FilledLanes(Filling filling, FillingLedger ledger) {
		this.filling = filling;
		this.ledger = ledger;
		this.committed = new AtomicLongArray(filling.lanes().stream().mapToLong(Long::longValue).toArray());
	}

	int count() {
		return this.committed.length();
	}

	/**
	 * The position of a lane, locked until the transaction ends.
	 * @throws SetBackException if it is further back than this node left it; the
	 * transaction must roll back
	 */
	long lockedPosition(int lane) {
		long known = this.committed.get(lane);
		long stored = this.ledger.lockedPosition(this.filling.generation(), lane);
		if (stored < known) {
			throw SetBackException.below(this.filling.id().toString(), "position " + known + " of lane " + lane,
					"position " + stored);
		}
		return stored;
	}

	/** Records that all events of the lane up to this one are settled. */
	void move(Work last) {
		int lane = last.routed().lane(count());
		long position = last.place().sequence();
		this.ledger.move(this.filling.generation(), lane, position);
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				if (status == STATUS_COMMITTED) {
					FilledLanes.this.committed.accumulateAndGet(lane, position, Math::max);
				}
			}

		});
	}

}
