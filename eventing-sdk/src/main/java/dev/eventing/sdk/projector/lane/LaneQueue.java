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
 * What one lane has to do, in order. A key whose event failed is blocked: later events of
 * it wait behind that event until it succeeded or is a dead letter, while other keys go
 * on. Thread-safe; {@link #take} is for the lane's thread.
 */
public final class LaneQueue {

	/** Its lane has nothing to do for so long before it gives its thread back. */
	private static final Duration QUIET = Duration.ofSeconds(5);

	private final InFlight inFlight;

	private final Duration quiet;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Deque<Work> ready = new ArrayDeque<>();

	/** Per blocked key its events in order, behind the failed one. */
	private final Map<String, Deque<Work>> followers = new HashMap<>();

	private final PriorityQueue<Work> retries = new PriorityQueue<>(Work::byTime);

	private boolean closed;

	/** Whether somebody takes, or was called to. */
	private boolean attended;

	/** Calls for somebody who takes. */
	private Runnable call = () -> {
	};

	public LaneQueue(InFlight inFlight) {
		this(inFlight, QUIET);
	}

	public LaneQueue(InFlight inFlight, Duration quiet) {
		this.inFlight = inFlight;
		this.quiet = quiet;
	}

	/** Is told when there is something to take and nobody takes. */
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

	/** No more is coming: the lane ends once what is ready is done. */
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
	 * The next events to run in one transaction, waiting for them: one that is due for
	 * another attempt, alone; else what is ready, either suspects or others.
	 * @return empty when nothing is ready and the queue is closed, or has been empty for
	 * a while: then the next event calls for somebody who takes
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
			if (holdIfBlocked(next)) {
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
	 * Takes back what its lane could not bring to an end, in its place before what is
	 * ready. What was settled, or waits here already, stays as it is.
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

	/** Its key stays blocked by an event that was due. */
	private void putBack(Work work) {
		if (work.isBlocking() && work.key() != null && this.followers.containsKey(work.key())) {
			this.retries.add(work);
			this.inFlight.countWaiting(1);
		}
		else {
			this.ready.addFirst(work);
		}
	}

	/** Returns false if there has been nothing at all for a while. */
	@SuppressWarnings("WaitNotInLoop") // the loop is in take
	private boolean awaitChange() throws InterruptedException {
		Work first = this.retries.peek();
		long wait = (first != null) ? Math.max(1, first.nanosLeft()) : this.quiet.toNanos();
		boolean inTime = this.changed.await(wait, TimeUnit.NANOSECONDS);
		return inTime || !(this.ready.isEmpty() && this.retries.isEmpty() && this.followers.isEmpty());
	}

	/**
	 * Puts those of the events whose key is blocked behind the failed one of it; returns
	 * the others.
	 */
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
	 * Puts an event behind the failed one of its key; false when its key is not blocked,
	 * or blocked by this very event, which is due.
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

	/** The event runs again, alone, after the delay; until then its key is blocked. */
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

	/** The event is settled: those that waited behind it are next, in their order. */
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

	/** Takes out all that is left, in stream order, so that it can be given back. */
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
