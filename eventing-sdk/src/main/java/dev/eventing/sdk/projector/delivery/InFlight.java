package dev.eventing.sdk.projector.delivery;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All deliveries a projector holds and has not settled, and how much room is left: the
 * one currency of back-pressure. Deliveries that only wait for a retry, their own or an
 * earlier one of their key, do not count against the lanes, so that other keys go on.
 * They do count against the bounds of what is held at all: once they fill one of these,
 * nothing is taken in until one of them is settled. Thread-safe.
 *
 * <p>
 * The bound of bytes is exceeded by at most one event: one that is larger than what is
 * free is taken in when nothing else is being worked on, and as long as anything is free.
 */
public final class InFlight {

	private static final Logger logger = LoggerFactory.getLogger(InFlight.class);

	private final String projector;

	private final int laneCapacity;

	private final int limit;

	private final long maxBytes;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Map<Long, Work> works = new HashMap<>();

	private int waiting;

	private long bytes;

	/**
	 * When something was settled or a handler called last, or there was nothing to do.
	 */
	private volatile long wentOnAt = System.nanoTime();

	/** Whether a person was told that what waits leaves no room. */
	private boolean alarmed;

	/**
	 * Sets the bounds.
	 * @param projector the projector's name
	 * @param laneCapacity how many deliveries the lanes may hold to work on
	 * @param limit how many may be unsettled in all
	 * @param maxBytes how many bytes they may have in all
	 */
	public InFlight(String projector, int laneCapacity, int limit, long maxBytes) {
		this.projector = projector;
		this.laneCapacity = laneCapacity;
		this.limit = limit;
		this.maxBytes = maxBytes;
	}

	/**
	 * Whether this very event is already here; then its settlements go where the later
	 * delivery wants them.
	 */
	public boolean renew(Origin later) {
		this.lock.lock();
		try {
			Work known = this.works.get(later.place().sequence());
			return known != null && known.place().equals(later.place()) && known.origin().renewFrom(later);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Adds it and gives it to the lanes. If these do not take it, it is not held: else it
	 * would be taken for known when it comes again.
	 */
	public void handOver(Work work, Consumer<Work> lanes) {
		add(work);
		boolean accepted = false;
		try {
			lanes.accept(work);
			accepted = true;
		}
		finally {
			if (!accepted) {
				remove(work);
			}
		}
	}

	public void add(Work work) {
		this.lock.lock();
		try {
			goOnIfIdle();
			Work before = this.works.put(work.place().sequence(), work);
			this.bytes += work.origin().size() - ((before != null) ? before.origin().size() : 0);
		}
		finally {
			this.lock.unlock();
		}
	}

	public void remove(Work work) {
		removeAll(List.of(work));
	}

	public void removeAll(Collection<Work> settled) {
		this.lock.lock();
		try {
			for (Work work : settled) {
				if (this.works.remove(work.place().sequence(), work)) {
					this.bytes -= work.origin().size();
					this.wentOnAt = System.nanoTime();
				}
			}
			signalIfWorthAsking();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whoever waits would only go back to sleep otherwise. */
	private void signalIfWorthAsking() {
		if (isWorthAsking(0)) {
			this.changed.signalAll();
		}
	}

	/**
	 * Counts deliveries that began (positive) or ended (negative) to wait for a retry.
	 */
	public void countWaiting(int change) {
		this.lock.lock();
		try {
			this.waiting += change;
			this.wentOnAt = System.nanoTime();
			signalIfWorthAsking();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** A handler is called with some of it. */
	public void goOn() {
		this.wentOnAt = System.nanoTime();
	}

	/** Whether the event with this sequence is held. */
	public boolean holds(long sequence) {
		this.lock.lock();
		try {
			return this.works.containsKey(sequence);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whether this very event is held. */
	public boolean holds(Work work) {
		this.lock.lock();
		try {
			return this.works.get(work.place().sequence()) == work;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * For how long there has been work that does not only wait for a retry, and none of
	 * it was given to a handler, settled or failed; zero while there is none.
	 */
	public Duration standsStillFor() {
		this.lock.lock();
		try {
			return (active() > 0) ? Duration.ofNanos(System.nanoTime() - this.wentOnAt) : Duration.ZERO;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void goOnIfIdle() {
		if (active() <= 0) {
			this.wentOnAt = System.nanoTime();
		}
	}

	public int size() {
		this.lock.lock();
		try {
			return this.works.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** How many bytes all that is held has. */
	long bytes() {
		this.lock.lock();
		try {
			return this.bytes;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** How many wait for a retry, their own or an earlier one of their key. */
	public int waiting() {
		this.lock.lock();
		try {
			return this.waiting;
		}
		finally {
			this.lock.unlock();
		}
	}

	public List<Work> all() {
		this.lock.lock();
		try {
			return List.copyOf(this.works.values());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until a request is worth its while: a quarter of what the lanes and the bytes
	 * allow is free, or the lanes are idle.
	 * @param tooFew how many bytes are known to be too few for the next event, 0 if
	 * nothing is known
	 * @return what may be asked for, perhaps nothing when the wait is over
	 */
	public Capacity awaitRoom(Duration wait, long tooFew) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long left = wait.toNanos();
			while (left > 0 && !isWorthAsking(tooFew)) {
				left = this.changed.awaitNanos(left);
			}
			Capacity room = room(tooFew);
			if (room.isNone()) {
				warnIfFullOfWaiting();
			}
			else {
				this.alarmed = false;
			}
			return room;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isWorthAsking(long tooFew) {
		Capacity room = room(tooFew);
		if (room.isNone() || active() == 0) {
			return !room.isNone();
		}
		return this.laneCapacity - active() >= Math.max(1, this.laneCapacity / 4) && room.bytes() >= this.maxBytes / 4;
	}

	private Capacity room(long tooFew) {
		int events = Math.min(this.laneCapacity - active(), this.limit - this.works.size());
		long free = this.maxBytes - this.bytes;
		if (events <= 0 || free <= 0) {
			return Capacity.NONE;
		}
		if (free > tooFew) {
			return new Capacity(events, free);
		}
		return (active() == 0) ? Capacity.FOR_ONE : Capacity.NONE;
	}

	private int active() {
		return this.works.size() - this.waiting;
	}

	private boolean isFullOfWaiting() {
		return active() == 0 && (this.works.size() >= this.limit || this.bytes >= this.maxBytes);
	}

	private void warnIfFullOfWaiting() {
		if (!this.alarmed && isFullOfWaiting()) {
			this.alarmed = true;
			logger.warn("Projector '{}' takes in nothing now: {}. Consider larger bounds, or fewer or shorter retries.",
					this.projector, whatWaits());
		}
	}

	private String whatWaits() {
		return "%d events of %d bytes in all wait behind failed ones, and 'maxAckPending' allows %d, 'maxInFlightBytes' %d"
			.formatted(this.waiting, this.bytes, this.limit, this.maxBytes);
	}

	/** What a person should know of, or empty. */
	public String alarm() {
		this.lock.lock();
		try {
			return isFullOfWaiting() ? "; " + whatWaits() : "";
		}
		finally {
			this.lock.unlock();
		}
	}

}
