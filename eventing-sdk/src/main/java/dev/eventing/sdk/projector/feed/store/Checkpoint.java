package dev.eventing.sdk.projector.feed.store;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.PrimaryHistory;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The position of a projector in the event store: all its events up to this position are
 * settled. It moves in the transactions that apply events, and only from the position
 * that this node knows. Thread-safe.
 *
 * <p>
 * One transaction at a time moves it, from its statement to its end. Another transaction
 * that commits meanwhile does not move it and does not wait, because it holds locks. A
 * later transaction moves it past both. Until then {@code processed_events} shows what is
 * already applied.
 */
public final class Checkpoint {

	private final ProjectorId projector;

	private final JdbcCheckpoints table;

	private final PrimaryHistory history;

	private final FencedTransactions transactions;

	/**
	 * Held by the transaction that moves the position, until that transaction has ended.
	 */
	private final Semaphore moving = new Semaphore(1);

	/** Positions that were handed to the lanes and are not settled. */
	private final NavigableSet<Long> unsettled = new TreeSet<>();

	/** All events up to here were handed out, or do not concern this projector. */
	private long read;

	private volatile long position;

	/** The {@code handed_out} that this node has recorded or found. */
	private volatile long handedOut;

	/** Whether a commit that moved the position was not answered. */
	private volatile boolean uncertain;

	/** Called in the transaction before the position moves. */
	private Runnable look = () -> {
	};

	private long suspectUpTo;

	public Checkpoint(ProjectorId projector, JdbcCheckpoints table, PrimaryHistory history,
			FencedTransactions transactions) {
		this.history = history;
		this.projector = projector;
		this.table = table;
		this.transactions = transactions;
	}

	/**
	 * Sets what is called in each transaction that moves the position, before that. If it
	 * throws, the position does not move. Before the feed starts.
	 */
	void beforeMoves(Runnable action) {
		this.look = action;
	}

	/** The projector's name in the tables. */
	String name() {
		return this.table.name();
	}

	/** Whether the projector has no stored position. */
	public boolean isNew() {
		return !this.table.exists();
	}

	/**
	 * Reads the stored position.
	 * @param beginning supplies the position after which a new projector begins
	 * @return the position up to which events are suspects, 0 for none
	 */
	public long begin(LongSupplier beginning) {
		this.history.isAnother();
		return this.transactions.note(() -> {
			JdbcCheckpoints.Row row = this.table.findOrBegin(this.table.exists() ? 0 : beginning.getAsLong());
			this.position = row.position();
			this.read = row.position();
			this.handedOut = row.handedOut();
			this.suspectUpTo = row.cleanStop() ? 0 : row.handedOut();
			return this.suspectUpTo;
		});
	}

	/**
	 * Goes back to a position, if it is smaller than the current one. Runs another action
	 * in the same transaction.
	 */
	public void goBack(long to, Runnable together) {
		boolean back = to < this.position;
		this.transactions.note(() -> {
			if (back) {
				this.table.moveTo(to);
			}
			together.run();
		});
		if (back) {
			this.position = to;
			this.handedOut = to;
			read(to);
		}
	}

	/** The committed position, up to which all events are settled. */
	public long position() {
		return this.position;
	}

	/**
	 * Records these events as handed out, before handlers get them.
	 */
	public void handOut(List<Work> works) {
		long last = works.get(works.size() - 1).place().sequence();
		long known = this.handedOut;
		this.transactions.note(() -> this.table.handOut(known, last));
		this.handedOut = last;
		synchronized (this) {
			works.forEach((work) -> this.unsettled.add(work.place().sequence()));
		}
	}

	/**
	 * Records that all events up to here were handed out, or do not concern this
	 * projector.
	 */
	public synchronized void read(long upTo) {
		this.read = upTo;
	}

	/**
	 * Records that the transaction of this event has committed, or that it needs no
	 * transaction.
	 */
	public synchronized void settle(long settled) {
		this.unsettled.remove(settled);
	}

	/**
	 * Moves the position as the last statement of the transaction that applies these
	 * events.
	 * @throws SetBackException if it is not where this node left it; the transaction must
	 * roll back
	 */
	public void moveWith(Collection<Work> applied) {
		Set<Long> own = applied.stream().map((work) -> work.place().sequence()).collect(Collectors.toSet());
		if (floor(own) > this.position && this.moving.tryAcquire()) {
			boolean registered = false;
			try {
				move(floor(own));
				registered = true;
			}
			finally {
				if (!registered) {
					this.moving.release();
				}
			}
		}
	}

	private synchronized long floor(Set<Long> settledNow) {
		for (long candidate : this.unsettled) {
			if (!settledNow.contains(candidate)) {
				return candidate - 1;
			}
		}
		return this.read;
	}

	private void move(long wanted) {
		long known = this.uncertain ? this.table.lockedPosition() : this.position;
		if (known < this.position) {
			throw SetBackException.below(this.projector.toString(), "position " + this.position, "position " + known);
		}
		this.look.run();
		if (wanted > known) {
			this.table.move(known, wanted, this.handedOut);
		}
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				moved(Math.max(known, wanted), status);
			}

		});
	}

	private void moved(long to, int status) {
		if (status == TransactionSynchronization.STATUS_COMMITTED) {
			this.position = to;
			this.uncertain = false;
		}
		else if (status == TransactionSynchronization.STATUS_UNKNOWN) {
			this.uncertain = true;
		}
		this.moving.release();
	}

	/** Moves the position in a separate transaction, if it can move. */
	public void move() {
		if (floor(Set.of()) > this.position) {
			this.transactions.note(() -> moveWith(List.of()));
		}
	}

	/**
	 * Makes sure that the database still has what this node committed.
	 * @throws OwnershipLostException if it does not; the projector is given up and
	 * restarts from the stored state
	 */
	public void requireKept() {
		long moved = this.position;
		long noted = this.handedOut;
		JdbcCheckpoints.Row stored = this.table.find().orElse(JdbcCheckpoints.Row.NONE);
		if (stored.position() < moved || stored.handedOut() < noted) {
			throw this.transactions.giveUp(SetBackException.below(this.projector.toString(),
					"position " + moved + " (handed out up to " + noted + ")",
					"position " + stored.position() + " (handed out up to " + stored.handedOut() + ")"));
		}
		if (this.history.isAnother()) {
			throw this.transactions.giveUp(SetBackException.onAnotherServer(this.projector.toString()));
		}
	}

	/** Records a clean stop. */
	public void stopInOrder() {
		if (isPastSuspects()) {
			this.transactions.note(this.table::stopInOrder);
		}
	}

	/** When the last events were handed out, or null if none were. */
	public @Nullable Instant handedOutAt() {
		return this.table.handedOutAt();
	}

	/** The position up to which events were handed out. */
	public long handedOut() {
		return this.handedOut;
	}

	private synchronized boolean isPastSuspects() {
		return this.read >= this.suspectUpTo;
	}

}
