package dev.eventing.sdk.projector.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All deliveries that a projector holds and has not settled, and the remaining capacity.
 * Only this capacity limits how much the projector takes. Deliveries that wait for their
 * own retry, or for that of an earlier event of their key, do not use capacity of the
 * lanes. So other keys continue. They do count towards the total number of deliveries and
 * bytes. When they reach one of these limits, the projector takes nothing until one of
 * them is settled. Thread-safe.
 *
 * <p>
 * At most one event exceeds the limit of bytes. The projector takes an event that is
 * larger than the free bytes if the lanes have no other work and at least one byte is
 * free.
 */
public final class InFlight {

	private static final Logger logger = LoggerFactory.getLogger(InFlight.class);

	private final ProjectorId projector;

	private final int laneCapacity;

	private final int limit;

	private final long maxBytes;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Map<Long, Work> works = new HashMap<>();

	/**
	 * The highest sequence that was ever added. Never becomes lower, also when the feed
	 * begins again at an earlier place or in another stream.
	 */
	private volatile long highest = Long.MIN_VALUE;

	private int waiting;

	private long bytes;

	/**
	 * The time of the last progress: an event was settled, a handler was called, or there
	 * was no work.
	 */
	private volatile long wentOnAt = System.nanoTime();

	/** Whether the log already warns that waiting deliveries use all capacity. */
	private boolean alarmed;

	/**
	 * Sets the limits.
	 * @param projector the projector's name
	 * @param laneCapacity the most deliveries that the lanes may hold, without those that
	 * wait for a retry
	 * @param limit the most unsettled deliveries
	 * @param maxBytes the most bytes of all unsettled deliveries
	 */
	public InFlight(ProjectorId projector, int laneCapacity, int limit, long maxBytes) {
		this.projector = projector;
		this.laneCapacity = laneCapacity;
		this.limit = limit;
		this.maxBytes = maxBytes;
	}

	/**
	 * Returns whether this event is already held. If so, it is settled through the later
	 * delivery from now on.
	 */
	public boolean renew(EventPlace place, Settler later) {
		if (place.sequence() > this.highest) {
			return false;
		}
		this.lock.lock();
		try {
			Work known = this.works.get(place.sequence());
			return known != null && known.place().equals(place) && known.settler().renewFrom(later);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Adds an event and passes it to the lanes. If the lanes throw, removes it again.
	 * Otherwise its redelivery would be treated as already held.
	 */
	public void handOver(Work work, WorkReceiver lanes) {
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
			this.highest = Math.max(this.highest, work.place().sequence());
			Work before = this.works.put(work.place().sequence(), work);
			this.bytes += work.size() - ((before != null) ? before.size() : 0);
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
					this.bytes -= work.size();
					this.wentOnAt = System.nanoTime();
				}
			}
			signalIfWorthAsking();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Wakes the waiting thread only if it can go on. */
	private void signalIfWorthAsking() {
		if (isWorthAsking(0)) {
			this.changed.signalAll();
		}
	}

	/**
	 * Counts deliveries that began (positive) or stopped (negative) waiting for a retry.
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

	/** Records that a handler is called. */
	public void goOn() {
		this.wentOnAt = System.nanoTime();
	}

	/** Whether an event with this sequence is held. */
	public boolean holds(long sequence) {
		this.lock.lock();
		try {
			return this.works.containsKey(sequence);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whether this object is held. */
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
	 * Returns the time without progress while there is work that does not wait for a
	 * retry: no handler was called, and no event was settled or failed. Zero if there is
	 * no such work.
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

	/** When the oldest of them was stored, by its source; null if there is none. */
	public @Nullable Instant oldest() {
		this.lock.lock();
		try {
			return this.works.values()
				.stream()
				.map((work) -> work.place().storedAt())
				.min(Comparator.naturalOrder())
				.orElse(null);
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The bytes of all held events. */
	long bytes() {
		this.lock.lock();
		try {
			return this.bytes;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The number of deliveries that wait for their own retry, or for that of an earlier
	 * event of their key.
	 */
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
	 * Waits until a request is worthwhile: until a quarter of the lanes' capacity and of
	 * the bytes is free, or the lanes are idle.
	 * @param tooFew a number of bytes that is known to be too small for the next event, 0
	 * if unknown
	 * @return the capacity for a request; may be none after the wait has timed out
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
			logger.warn("Projector '{}' takes no events now: {}. Consider larger limits, or fewer or shorter retries.",
					this.projector, whatWaits());
		}
	}

	private String whatWaits() {
		return "%s events wait for retries, %s bytes are in flight, 'maxAckPending' is %s and 'maxInFlightBytes' is %s"
			.formatted(this.waiting, this.bytes, this.limit, this.maxBytes);
	}

	/** The addition to the status that an operator should see, or empty. */
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
