package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.Work;
import org.jspecify.annotations.Nullable;

/**
 * The events of one lane, in order. After an event fails, its key is blocked: later
 * events of the key wait until that event succeeds or is a dead letter. Other keys
 * continue. Thread-safe; {@link #take} is for the lane's thread.
 */
public final class LaneQueue {

	/** How long a lane without events keeps its thread. */
	private static final Duration QUIET = Duration.ofSeconds(5);

	private final InFlight inFlight;

	private final Duration quiet;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Deque<Work> ready = new ArrayDeque<>();

	/** The waiting events of each blocked key, in order, without the failed one. */
	private final Map<String, Deque<Work>> followers = new HashMap<>();

	private final PriorityQueue<Work> retries = new PriorityQueue<>(Work::byTime);

	private boolean closed;

	/** Whether a thread takes events, or was called to. */
	private boolean attended;

	/** Calls a thread to take events. */
	private Runnable call = () -> {
	};

	public LaneQueue(InFlight inFlight) {
		this(inFlight, QUIET);
	}

	public LaneQueue(InFlight inFlight, Duration quiet) {
		this.inFlight = inFlight;
		this.quiet = quiet;
	}

	/**
	 * Sets a listener that is called when an event is added and no thread takes events.
	 */
	void onCall(Runnable listener) {
		this.call = listener;
	}

	void add(Work work) {
		this.lock.lock();
		try {
			if (!this.attended) {
				this.call.run();
				this.attended = true;
			}
			this.ready.add(work);
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Ends the lane once its ready events are done. */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the next events to run in one transaction, and waits for them: one event
	 * that is due for a retry, alone; or else ready events with the same suspicion.
	 * @param most the most events
	 * @return empty if nothing is ready and the queue is closed, or if it had no events
	 * for a while; after that, the next event calls a thread
	 */
	List<Work> take(int most) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			while (true) {
				Work due = pollDue();
				if (due != null) {
					return List.of(due);
				}
				List<Work> batch = pollReady(most);
				if (!batch.isEmpty() || this.closed) {
					return batch;
				}
				if (!awaitChange()) {
					this.attended = false;
					return batch;
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable Work pollDue() {
		Work first = this.retries.peek();
		if (this.closed || first == null || !first.isDue()) {
			return null;
		}
		this.inFlight.countWaiting(-1);
		return this.retries.poll();
	}

	private List<Work> pollReady(int most) {
		List<Work> batch = new ArrayList<>();
		while (batch.size() < most && !this.ready.isEmpty()) {
			Work next = this.ready.element();
			if (!batch.isEmpty() && next.suspicion() != batch.get(0).suspicion()) {
				break;
			}
			this.ready.remove();
			if (!this.followers.isEmpty() && holdIfBlocked(next)) {
				continue;
			}
			if (!next.isDue()) {
				block(next);
				continue;
			}
			batch.add(next);
		}
		return batch;
	}

	/**
	 * Returns a batch that did not end to the front of the ready events. Leaves out
	 * events that were settled or already wait here.
	 */
	void putBack(List<Work> batch) {
		this.lock.lock();
		try {
			for (int i = batch.size() - 1; i >= 0; i--) {
				Work work = batch.get(i);
				if (this.inFlight.holds(work) && !isHeld(work)) {
					putBack(work);
				}
			}
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isHeld(Work work) {
		Deque<Work> behind = (work.key() != null) ? this.followers.get(work.key()) : null;
		return this.retries.contains(work) || (behind != null && behind.contains(work));
	}

	/** A retry stays a retry, so that its key stays blocked. */
	private void putBack(Work work) {
		if (work.isBlocking() && work.key() != null && this.followers.containsKey(work.key())) {
			this.retries.add(work);
			this.inFlight.countWaiting(1);
		}
		else {
			this.ready.addFirst(work);
		}
	}

	/** Returns false if the queue had no events for a while. */
	@SuppressWarnings("WaitNotInLoop") // the loop is in take
	private boolean awaitChange() throws InterruptedException {
		Work first = this.retries.peek();
		long wait = (first != null) ? Math.max(1, first.nanosLeft()) : this.quiet.toNanos();
		boolean inTime = this.changed.await(wait, TimeUnit.NANOSECONDS);
		return inTime || !(this.ready.isEmpty() && this.retries.isEmpty() && this.followers.isEmpty());
	}

	/** Makes the events of blocked keys wait, and returns the others. */
	List<Work> holdBlocked(List<Work> works) {
		this.lock.lock();
		try {
			return this.followers.isEmpty() ? works : works.stream().filter((work) -> !holdIfBlocked(work)).toList();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Makes an event wait if its key is blocked. Returns false if the key is not blocked,
	 * or if it is blocked by this event.
	 */
	boolean holdIfBlocked(Work work) {
		this.lock.lock();
		try {
			Deque<Work> behind = (work.key() != null) ? this.followers.get(work.key()) : null;
			if (behind == null || work.isBlocking()) {
				return false;
			}
			behind.add(work);
			this.inFlight.countWaiting(1);
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Runs the event again, alone, after the delay. Blocks its key until then. */
	void retryAfter(Work work, Duration delay) {
		this.lock.lock();
		try {
			work.setNotBefore(System.nanoTime() + delay.toNanos());
			block(work);
			this.changed.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void block(Work work) {
		if (work.key() != null) {
			work.markBlocking();
			this.followers.computeIfAbsent(work.key(), (key) -> new ArrayDeque<>());
		}
		this.retries.add(work);
		this.inFlight.countWaiting(1);
	}

	/**
	 * Unblocks the key of a settled event. The events that waited for it are next, in
	 * order.
	 */
	void release(Work work) {
		if (!work.isBlocking()) {
			return;
		}
		this.lock.lock();
		try {
			Deque<Work> behind = this.followers.remove(work.key());
			if (behind != null) {
				this.inFlight.countWaiting(-behind.size());
				behind.descendingIterator().forEachRemaining(this.ready::addFirst);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Removes and returns all events, in stream order. */
	List<Work> drain() {
		this.lock.lock();
		try {
			List<Work> left = new ArrayList<>(this.ready);
			left.addAll(this.retries);
			this.followers.values().forEach(left::addAll);
			this.inFlight.countWaiting(this.ready.size() - left.size());
			this.ready.clear();
			this.retries.clear();
			this.followers.clear();
			left.sort(Comparator.comparingLong((work) -> work.place().sequence()));
			return left;
		}
		finally {
			this.lock.unlock();
		}
	}

}
