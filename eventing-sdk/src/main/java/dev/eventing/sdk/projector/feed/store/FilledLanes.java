package dev.eventing.sdk.projector.feed.store;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;

import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projection.ledger.LockedLane;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.delivery.Work;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * How far the lanes are that fill a generation, from a start of the projector to its
 * stop. They are looked at and moved in the transactions that settle events.
 *
 * <p>
 * No claims say which events are settled. So if the database has lost commits, no event
 * behind a lost one may be settled in its lane, the checkpoint must not move over it, and
 * no event is settled that the event store has lost. A transaction that finds less than
 * this node has committed is rolled back. Thread-safe.
 */
final class FilledLanes {

	private final Filling filling;

	private final FillingLedger ledger;

	/** The position of each lane that is known to be committed. */
	private final AtomicLongArray committed;

	/** Null before the start. */
	private @Nullable Checkpoint checkpoint;

	/** Sends no query. */
	FilledLanes(Filling filling, FillingLedger ledger) {
		this.filling = filling;
		this.ledger = ledger;
		this.committed = new AtomicLongArray(filling.lanes().stream().mapToLong(Long::longValue).toArray());
	}

	/** Sets the checkpoint, which moves only while no lane has lost anything. */
	void follow(Checkpoint given) {
		this.checkpoint = given;
		given.beforeMoves(this::requireKept);
	}

	int count() {
		return this.committed.length();
	}

	/**
	 * The position of a lane, locked until the transaction ends.
	 * @throws SetBackException if the database has an earlier one, or has lost which
	 * events were handed out; the transaction must roll back
	 */
	long lockedPosition(int lane) {
		long known = this.committed.get(lane);
		Checkpoint followed = Objects.requireNonNull(this.checkpoint, "followed first");
		long handedOut = followed.handedOut();
		LockedLane stored = this.ledger.lockedLane(this.filling.generation(), lane, followed.name());
		require(lane, known, stored.position());
		if (stored.handedOut() < handedOut) {
			throw SetBackException.handout(this.filling.projection().toString(), handedOut);
		}
		return stored.position();
	}

	/**
	 * Makes sure that the database still has what all lanes have committed.
	 * @throws SetBackException if it has not; the transaction must roll back
	 */
	void requireKept() {
		long[] known = new long[count()];
		for (int lane = 0; lane < known.length; lane++) {
			known[lane] = this.committed.get(lane);
		}
		List<Long> stored = this.ledger.lanes(this.filling.generation(), known.length);
		for (int lane = 0; lane < known.length; lane++) {
			require(lane, known[lane], stored.get(lane));
		}
	}

	private void require(int lane, long known, long stored) {
		if (stored < known) {
			throw SetBackException.inFilling(this.filling.generation(), this.filling.projection().toString(),
					"position " + known + " of lane " + lane, "position " + stored);
		}
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
