package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All deliveries a projector holds and has not settled, and how much room is left: the
 * one currency of back-pressure. Deliveries that only wait for a retry, their own or an
 * earlier one of their key, do not count against the lanes, so that other keys go on.
 * Thread-safe.
 */
final class InFlight {

	private final int laneCapacity;

	private final int limit;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Map<Long, Work> works = new HashMap<>();

	private int waiting;

	/**
	 * Sets the bounds.
	 * @param laneCapacity how many deliveries the lanes may hold to work on
	 * @param limit how many may be unsettled in all
	 */
	InFlight(int laneCapacity, int limit) {
		this.laneCapacity = laneCapacity;
		this.limit = limit;
	}

	/**
	 * Whether this very event is already here; then its settlements go where the later
	 * delivery wants them.
	 */
	boolean renew(DeliveryOrigin later) {
		this.lock.lock();
		try {
			Work known = this.works.get(later.place().sequence());
			if (known != null && known.origin() instanceof DeliveryOrigin earlier
					&& earlier.place().equals(later.place())) {
				earlier.renewFrom(later);
				return true;
			}
			return false;
		}
		finally {
			this.lock.unlock();
		}
	}

	void add(Work work) {
		this.lock.lock();
		try {
			this.works.put(work.place().sequence(), work);
		}
		finally {
			this.lock.unlock();
		}
	}

	void remove(Work work) {
		this.lock.lock();
		try {
			this.works.remove(work.place().sequence(), work);
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Counts deliveries that began (positive) or ended (negative) to wait for a retry.
	 */
	void countWaiting(int change) {
		this.lock.lock();
		try {
			this.waiting += change;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whether the event with this sequence is held. */
	boolean holds(long sequence) {
		this.lock.lock();
		try {
			return this.works.containsKey(sequence);
		}
		finally {
			this.lock.unlock();
		}
	}

	int size() {
		this.lock.lock();
		try {
			return this.works.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** How many wait for a retry, their own or an earlier one of their key. */
	int waiting() {
		this.lock.lock();
		try {
			return this.waiting;
		}
		finally {
			this.lock.unlock();
		}
	}

	List<Work> all() {
		this.lock.lock();
		try {
			return List.copyOf(this.works.values());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until a request is worth its while: a quarter of the lanes' capacity is free,
	 * or the lanes are idle.
	 * @return how many deliveries may be asked for, perhaps 0 when the wait is over
	 */
	int awaitRoom(Duration wait) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long left = wait.toNanos();
			while (left > 0 && !isWorthAsking()) {
				left = this.changed.awaitNanos(left);
			}
			return room();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isWorthAsking() {
		int active = this.works.size() - this.waiting;
		return room() > 0 && (active == 0 || this.laneCapacity - active >= Math.max(1, this.laneCapacity / 4));
	}

	private int room() {
		int active = this.works.size() - this.waiting;
		return Math.max(0, Math.min(this.laneCapacity - active, this.limit - this.works.size()));
	}

}
