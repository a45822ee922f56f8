package dev.eventing.sdk.relay;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.LogReader;
import dev.eventing.sdk.store.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * The events of a range of positions, in order. A transaction that is open may still fill
 * a hole. Then there is no event for now, and {@link #isOver} tells this from the end.
 * Not thread-safe.
 */
final class EventRange {

	/** The pause between two looks at a hole. */
	static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

	private static final int PAGE = 500;

	private final LogReader reader;

	private final long to;

	private final Queue<StoredEvent> page = new ArrayDeque<>();

	private long position;

	private boolean over;

	/** When the log was read last, by {@link System#nanoTime}. */
	private long lookedAt;

	/**
	 * Reads nothing yet.
	 * @param from the first position
	 * @param to the last position
	 * @param settled a position up to which no event appears any more
	 */
	EventRange(EventLog log, long from, long to, long settled) {
		this.reader = log.reader(from - 1, settled);
		this.to = to;
		this.position = from - 1;
	}

	/**
	 * The next event; null if there is none for now, or none any more.
	 * @throws dev.eventing.sdk.store.UnreadableEventException if it cannot be read
	 */
	@Nullable StoredEvent next() {
		if (this.page.isEmpty()) {
			read();
		}
		StoredEvent next = this.page.poll();
		if (next != null && next.position() > this.to) {
			this.page.clear();
			this.over = true;
			return null;
		}
		this.position = (next != null) ? next.position() : this.position;
		return next;
	}

	/** The position of the last event that was returned. */
	long position() {
		return this.position;
	}

	/** Whether there is no event any more. */
	boolean isOver() {
		return this.over;
	}

	private void read() {
		this.over |= this.reader.position() >= this.to;
		boolean early = this.reader.isBlocked() && System.nanoTime() - this.lookedAt < PAUSE;
		if (!this.over && !early) {
			this.page.addAll(this.reader.next(PAGE));
			this.lookedAt = System.nanoTime();
			this.over = this.page.isEmpty() && !this.reader.isBlocked();
		}
	}

}
