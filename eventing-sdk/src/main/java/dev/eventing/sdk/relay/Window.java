package dev.eventing.sdk.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;

import dev.eventing.sdk.relay.JdbcRelayPositions.Passed;
import org.jspecify.annotations.Nullable;

/**
 * The events that a relay has read, from the oldest unconfirmed one on. Of each stream
 * only the first event may be in flight; the others queue after it. So if an event must
 * be published again, its successor cannot overtake it.
 *
 * <p>
 * The window spans a maximum number of events, from the oldest that is not done to the
 * newest, including those in between that are done. So an event in the stream proves that
 * all events at least that many places before it were confirmed. A rewind relies on this.
 * The window also counts the bytes of the payloads that it holds. Not thread-safe.
 */
final class Window {

	private final int capacity;

	private final long maxBytes;

	/**
	 * The events read from the log, in the order of positions. The first one is never
	 * done.
	 */
	private final Deque<Slot> span = new ArrayDeque<>();

	/** The last event of each stream that has one here. */
	private final Map<StreamKey, Slot> last = new HashMap<>();

	private final Deque<Slot> ready = new ArrayDeque<>();

	private final Queue<Slot> delayed = new PriorityQueue<>(Comparator.comparingLong((slot) -> slot.retryAt));

	/**
	 * The sent events in the order of sending. Events that are done stay here until they
	 * are swept.
	 */
	private final Deque<Slot> sent = new ArrayDeque<>();

	private @Nullable Passed lastDone;

	private int retried;

	private long bytes;

	private int inFlight;

	private int alone;

	private int repeated;

	Window(int capacity, long maxBytes) {
		this.capacity = capacity;
		this.maxBytes = maxBytes;
	}

	/** The number of further events for which there is room. */
	int room() {
		return this.capacity - this.span.size() - this.retried;
	}

	/**
	 * The number of further events to retry for which there is room. Retries leave half
	 * of the window to new events.
	 */
	int roomForRetries() {
		return Math.min(room(), (this.capacity + 1) / 2 - this.retried);
	}

	/** The number of further bytes for which there is room; may be negative. */
	long roomForBytes() {
		return this.maxBytes - this.bytes;
	}

	boolean isEmpty() {
		return this.span.isEmpty() && this.retried == 0;
	}

	/** Whether all events read from the log are done. */
	boolean isDone() {
		return this.span.isEmpty();
	}

	/** The last event up to which all are done; null if there was none yet. */
	@Nullable Passed lastDone() {
		return this.lastDone;
	}

	int inFlight() {
		return this.inFlight;
	}

	/** The number of events that wait to be published again. */
	int delayed() {
		return this.delayed.size();
	}

	/** The number of events that were not confirmed at first, and are not done yet. */
	int repeated() {
		return this.repeated;
	}

	/** Whether there are events that must not be part of a batch. */
	boolean hasAlone() {
		return this.alone > 0 || this.retried > 0 || !this.delayed.isEmpty();
	}

	/** Whether the window holds events of this stream. */
	boolean holds(StreamKey key) {
		return this.last.containsKey(key);
	}

	/**
	 * The position up to which all events are done.
	 * @param read the position up to which the log was read into this window
	 */
	long donePosition(long read) {
		Slot oldest = this.span.peekFirst();
		return (oldest != null) ? oldest.position() - 1 : read;
	}

	void add(Slot slot) {
		this.bytes += slot.bytes();
		if (slot.isRetried()) {
			this.retried++;
		}
		else {
			this.span.addLast(slot);
		}
		Slot before = this.last.put(slot.key(), slot);
		if (before == null) {
			comesFirst(slot);
		}
		else {
			before.next = slot;
		}
	}

	private void comesFirst(Slot slot) {
		slot.first = true;
		if (slot.state == Slot.State.QUEUED) {
			this.ready.addLast(slot);
		}
	}

	/** The next event to publish, or null. It counts as in flight from now on. */
	@Nullable Slot take(long now) {
		Slot due = this.delayed.peek();
		Slot slot = (due != null && due.retryAt - now <= 0) ? this.delayed.remove() : this.ready.pollFirst();
		if (slot != null) {
			send(slot, now);
		}
		return slot;
	}

	private void send(Slot slot, long now) {
		slot.state = Slot.State.IN_FLIGHT;
		slot.attempt++;
		slot.sentAt = now;
		this.sent.addLast(slot);
		this.inFlight++;
	}

	/**
	 * The next events to publish as one batch, in the order of positions. May contain
	 * several events of one stream, because all or none are stored. Empty while an event
	 * is in flight, delayed, or must be published alone.
	 */
	List<Slot> takeBatch(int most, long now) {
		List<Slot> batch = new ArrayList<>();
		if (this.inFlight > 0 || hasAlone()) {
			return batch;
		}
		for (Slot slot : this.span) {
			if (batch.size() == most) {
				break;
			}
			if (slot.state == Slot.State.QUEUED) {
				batch.add(slot);
			}
		}
		batch.forEach((slot) -> send(slot, now));
		this.ready.removeIf((slot) -> slot.state == Slot.State.IN_FLIGHT);
		return batch;
	}

	/**
	 * Records that the batch was not stored. Its events are published one by one, except
	 * those that were already published again.
	 */
	void batchFailed(List<Slot> batch) {
		for (Slot slot : batch) {
			if (slot.state == Slot.State.IN_FLIGHT && slot.attempt == 1) {
				goesAlone(slot);
				if (slot.first) {
					this.ready.addLast(slot);
				}
			}
		}
	}

	/**
	 * Records that the event is confirmed, refused or held. The next event of its stream
	 * may be published.
	 */
	void done(Slot slot) {
		Slot next = slot.next;
		end(slot);
		if (next == null) {
			this.last.remove(slot.key());
		}
		else {
			comesFirst(next);
		}
		trim();
	}

	/**
	 * Records that the event stops its stream. The later events of the stream are done
	 * too.
	 * @return the later events, in order
	 */
	List<Slot> stopBehind(Slot slot) {
		List<Slot> followers = new ArrayList<>();
		for (Slot next = slot.next; next != null; next = next.next) {
			followers.add(next);
		}
		end(slot);
		followers.forEach(this::end);
		this.last.remove(slot.key());
		trim();
		return followers;
	}

	private void end(Slot slot) {
		switch (slot.state) {
			case IN_FLIGHT -> this.inFlight--;
			case DELAYED -> this.delayed.remove(slot);
			case QUEUED -> this.ready.remove(slot);
			default -> throw new IllegalStateException("The event at " + slot.position() + " is done already.");
		}
		slot.state = Slot.State.DONE;
		if (slot.isRetried()) {
			this.retried--;
			this.bytes -= slot.bytes();
		}
		if (slot.alone) {
			this.alone--;
		}
		if (slot.repeated) {
			this.repeated--;
		}
	}

	private void trim() {
		for (Slot oldest = this.span.peekFirst(); oldest != null
				&& oldest.state == Slot.State.DONE; oldest = this.span.peekFirst()) {
			this.span.removeFirst();
			this.lastDone = Passed.of(oldest.stored());
			this.bytes -= oldest.bytes();
		}
		for (Slot oldest = this.sent.peekFirst(); oldest != null
				&& oldest.state != Slot.State.IN_FLIGHT; oldest = this.sent.peekFirst()) {
			this.sent.removeFirst();
		}
	}

	/**
	 * Records that the event was not confirmed. It is published again. Later events of
	 * its stream wait for it, also those of the same batch.
	 */
	void delay(Slot slot, long until) {
		if (slot.state != Slot.State.IN_FLIGHT) {
			return;
		}
		if (slot.first) {
			this.inFlight--;
			slot.state = Slot.State.DELAYED;
			this.repeated += slot.repeated ? 0 : 1;
			slot.repeated = true;
			slot.retryAt = until;
			this.delayed.add(slot);
		}
		else {
			goesAlone(slot);
		}
	}

	private void goesAlone(Slot slot) {
		this.inFlight--;
		this.alone++;
		slot.alone = true;
		slot.state = Slot.State.QUEUED;
	}

	/** The events in flight that were sent before this time, oldest first. */
	List<Slot> sentBefore(long time) {
		List<Slot> overdue = new ArrayList<>();
		for (Slot slot : this.sent) {
			if (slot.state == Slot.State.IN_FLIGHT) {
				if (slot.sentAt - time >= 0) {
					break;
				}
				overdue.add(slot);
			}
		}
		return overdue;
	}

	/** When the first delayed event is due; {@code otherwise} if there is none. */
	long nextRetry(long otherwise) {
		Slot due = this.delayed.peek();
		return (due != null) ? due.retryAt : otherwise;
	}

}
