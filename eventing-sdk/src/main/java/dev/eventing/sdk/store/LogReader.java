package dev.eventing.sdk.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.eventing.sdk.store.LogPageStatements.Anchor;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of all streams in the order of their positions. Returns only final
 * events: no event that commits later can have a lower position than a returned event. A
 * hole is a position without a visible row. The reader stops at a hole as long as a
 * transaction that has appended is open and may still fill it. Transactions that have not
 * appended do not delay it.
 *
 * <p>
 * For one thread at a time. Uses one connection at a time, and none between two calls. A
 * crash loses nothing: a new reader that starts at {@link #position} continues where this
 * one was.
 */
public final class LogReader {

	/** The default size of a page. */
	static final long DEFAULT_BYTES = 16L << 20;

	private static final long FIRST_GUESS = 8 << 10;

	private final LogTable log;

	private long position;

	/** Up to this position, rows that a later statement does not see were rolled back. */
	private long settled;

	private @Nullable PositionBarrier barrier;

	/** The barrier at the last read of the log; null if there was none. */
	private @Nullable PositionBarrier barrierAtLastRead;

	/** When the last read of the locks ended, by {@link System#nanoTime}. */
	private long locksReadAt = System.nanoTime();

	/** The last returned event; null before the first. */
	private @Nullable Anchor anchor;

	private boolean blocked;

	/** Whether the last read saw the end of the log. */
	private boolean atEnd;

	/** The estimated size of the next event, from those read last. */
	private long guess = FIRST_GUESS;

	LogReader(LogTable log, long after, long settled) {
		this.log = log;
		this.position = after;
		this.settled = settled;
	}

	/** As {@link #next(int, long)} with a page of 16 MiB. */
	public List<StoredEvent> next(int limit) {
		return next(limit, DEFAULT_BYTES);
	}

	/**
	 * The next final events, in the order of positions. Never waits: returns an empty
	 * list if there are none now. Needs one round trip while positions are consecutive,
	 * and two or three more at a hole. While the hole stays, each call reads the locks
	 * once. All readers of the same log share that read, so a change may be seen only by
	 * the following call. If the call throws, no event was returned, and the next call
	 * tries again. Fewer events than the limit do not mean that there are no more.
	 * @param limit the maximum number of events
	 * @param maxBytes the page ends with the event that reaches this number of bytes,
	 * counted as the JSON texts of payload and metadata; so memory holds at most these
	 * bytes and one event
	 * @throws UnreadableEventException if the next event cannot be read; each call throws
	 * it again until the event is {@link #passOver passed over}
	 * @throws UnsafePositionsException if row level security may hide events; or, checked
	 * at a hole only, if the sequence or its column is not defined as required, or the
	 * database is a standby
	 * @throws LogSetBackException if the last returned event is no longer in the
	 * database; this reader cannot continue then
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public List<StoredEvent> next(int limit, long maxBytes) {
		if (limit < 1 || maxBytes < 1) {
			throw new IllegalArgumentException("At least one event and one byte, not " + limit + " and " + maxBytes);
		}
		return next(() -> read(limit, maxBytes));
	}

	/**
	 * As {@link #next(int)}, of events without metadata, and with an empty object as
	 * their payload: so without source, key, headers and correlation.
	 */
	public List<StoredEvent> envelopes(int limit) {
		return next(() -> {
			LogPageStatements.Rows rows = this.log.envelopes(this.position, this.anchor, limit);
			return page(rows, rows.unreadable() == null && rows.events().size() < limit);
		});
	}

	private List<StoredEvent> next(Supplier<Page> reads) {
		this.atEnd = false;
		if (isUnchanged()) {
			return List.of();
		}
		this.barrierAtLastRead = this.barrier;
		Page page = reads.get();
		while (page.hole() && isSettledBehind(page.end())) {
			// Read again: a late row may have become visible before its transaction was
			// known to have ended.
			this.barrierAtLastRead = this.barrier;
			page = reads.get();
			if (!page.events().isEmpty()) {
				break;
			}
		}
		this.position = page.end();
		if (!page.events().isEmpty()) {
			this.anchor = Anchor.of(page.events().get(page.events().size() - 1));
		}
		this.blocked = page.hole();
		this.atEnd = page.last();
		return page.events();
	}

	/** Continues after an event that cannot be read. */
	public void passOver(UnreadableEventException event) {
		this.position = Math.max(this.position, event.position());
	}

	/** Returns what comes after an earlier position once more. */
	public void backTo(long earlier) {
		this.position = Math.min(this.position, earlier);
		this.blocked = false;
		this.atEnd = false;
	}

	/** Whether the last {@link #next} ended at a hole that may still fill. */
	public boolean isBlocked() {
		return this.blocked;
	}

	/** Whether the last {@link #next} saw the end of the log, as it was then. */
	public boolean isAtEnd() {
		return this.atEnd;
	}

	/**
	 * The position up to which all events were returned: that of the last event, or a
	 * later one if no event can appear in between.
	 */
	public long position() {
		return this.position;
	}

	/** Reads a page. */
	private Page read(int limit, long maxBytes) {
		// The database need not read rows that do not fit.
		int most = (int) Math.min(limit, 1 + maxBytes / this.guess);
		LogPageStatements.Rows rows = this.log.page(this.position, this.anchor, most, maxBytes);
		boolean last = rows.events().size() < most && rows.bytes() < maxBytes && rows.unreadable() == null;
		this.guess = Math.max(rows.bytes() / Math.max(1, rows.events().size()), Math.max(1, this.guess / 2));
		return page(rows, last);
	}

	/**
	 * Keeps the events that are final according to {@link #settled}.
	 * @param last whether the log has no further rows
	 */
	private Page page(LogPageStatements.Rows rows, boolean last) {
		UnreadableEventException unreadable = rows.unreadable();
		List<StoredEvent> events = new ArrayList<>(rows.events().size());
		long end = this.position;
		for (StoredEvent row : rows.events()) {
			long known = Math.max(end, this.settled);
			if (row.position() > known + 1) {
				return new Page(events, known, true, false);
			}
			events.add(row);
			end = row.position();
		}
		if (unreadable != null && events.isEmpty()) {
			long known = Math.max(end, this.settled);
			if (unreadable.position() > known + 1) {
				return new Page(events, known, true, false);
			}
			throw unreadable;
		}
		return new Page(events, last ? Math.max(end, this.settled) : end, false, last);
	}

	/**
	 * Whether this reader is at a hole and no transaction of the barrier has ended since
	 * before the last read of the log. Then there is nothing new to read.
	 */
	private boolean isUnchanged() {
		PositionBarrier pending = this.barrier;
		if (!this.blocked || pending == null || !pending.equals(this.barrierAtLastRead)
				|| pending.upTo() <= this.position) {
			return false;
		}
		this.barrier = pending.after(holders());
		return this.barrier.equals(pending);
	}

	/** The holders of the lock, read after the last read of this reader. */
	private Map<String, Boolean> holders() {
		Map<String, Boolean> holders = this.log.holders(this.locksReadAt);
		this.locksReadAt = System.nanoTime();
		return holders;
	}

	/** Moves {@link #settled} past the hole if that is possible now. */
	private boolean isSettledBehind(long end) {
		PositionBarrier pending = this.barrier;
		if (pending == null || pending.upTo() <= end) {
			// The order matters: a transaction that draws a position after the read of
			// the sequence need not be waited for, and one that drew a position before it
			// still holds its lock, or has ended.
			long drawn = this.log.drawn();
			this.locksReadAt = System.nanoTime();
			pending = new PositionBarrier(drawn, holders());
		}
		else {
			pending = pending.after(holders());
		}
		if (!pending.isOpen()) {
			this.barrier = pending;
			return false;
		}
		this.settled = pending.upTo();
		this.barrier = null;
		return true;
	}

	/**
	 * The rows of a read that are final, and the position up to which the log is final.
	 *
	 * @param hole whether the log has a hole there that may still fill
	 * @param last whether there were no further rows
	 */
	private record Page(List<StoredEvent> events, long end, boolean hole, boolean last) {

	}

}
