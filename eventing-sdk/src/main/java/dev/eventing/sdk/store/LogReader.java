package dev.eventing.sdk.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.store.LogTable.Anchor;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of all streams in the order of their positions, and only what is
 * final: nothing that commits later can have a lower position than an event that was
 * handed out. Gets no further than a hole that may still fill, and no further than where
 * a transaction that has appended is still open; transactions that have not appended hold
 * nothing up.
 *
 * <p>
 * For one thread at a time. Uses connections of its own, one at a time and not between
 * two calls. Losing a reader loses nothing: another one from {@link #position} on goes on
 * where this one was.
 */
public final class LogReader {

	/** How large a page gets unless told otherwise. */
	private static final long DEFAULT_BYTES = 16L << 20;

	private static final long FIRST_GUESS = 8 << 10;

	private final LogTable log;

	private long position;

	/** Up to here, what a later statement does not see was rolled back. */
	private long settled;

	private @Nullable PositionBarrier fence;

	/** The fence when the log was read last; null if there was none. */
	private @Nullable PositionBarrier readUnder;

	/** When the last look at the locks was over, by {@link System#nanoTime}. */
	private long lookedAt = System.nanoTime();

	/** The last event that was handed out; null before the first. */
	private @Nullable Anchor anchor;

	private boolean blocked;

	/** How large the next event may be, by those read last. */
	private long guess = FIRST_GUESS;

	LogReader(LogTable log, long after) {
		this.log = log;
		this.position = after;
		this.settled = after;
	}

	/** As {@link #next(int, long)} with a page of 16 MiB. */
	public List<StoredEvent> next(int limit) {
		return next(limit, DEFAULT_BYTES);
	}

	/**
	 * The next events that are final, in the order of positions. Never waits: empty when
	 * there are none now. One round trip while positions follow each other; at a hole two
	 * or three more, and while it stays one look at the locks, which all readers of the
	 * same log share: what has changed since another one looked is seen by the call after
	 * this one at the latest. After an error nothing was handed out, and the next call
	 * tries again. That there are fewer than the limit does not say that there are no
	 * more.
	 * @param limit the most events to return
	 * @param maxBytes the page ends with the event that reaches so many bytes, counted as
	 * the JSON texts of payload and metadata: never more than that and one event are held
	 * @throws UnreadableEventException if the next event cannot be read; thrown again and
	 * again until it is {@link #passOver passed over}
	 * @throws UnsafePositionsException if positions are not drawn as they must be, or the
	 * database is a standby; seen at a hole only
	 * @throws LogSetBackException if the event handed out last is no longer in the
	 * database; this reader then reads no more
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	public List<StoredEvent> next(int limit, long maxBytes) {
		if (limit < 1 || maxBytes < 1) {
			throw new IllegalArgumentException("At least one event and one byte, not " + limit + " and " + maxBytes);
		}
		if (isUnchanged()) {
			return List.of();
		}
		Page page = read(limit, maxBytes);
		while (page.hole() && isSettledBehind(page.end())) {
			// Read anew: what was late may have become visible before it was known.
			page = read(limit, maxBytes);
			if (!page.events().isEmpty()) {
				break;
			}
		}
		this.position = page.end();
		if (!page.events().isEmpty()) {
			this.anchor = Anchor.of(page.events().get(page.events().size() - 1));
		}
		this.blocked = page.hole();
		return page.events();
	}

	/** Goes on behind an event that cannot be read. */
	public void passOver(UnreadableEventException event) {
		this.position = Math.max(this.position, event.position());
	}

	/** Whether the last {@link #next} ended at a hole that may still fill. */
	public boolean isBlocked() {
		return this.blocked;
	}

	/**
	 * Up to where all was handed out: the position of the last event, or a later one if
	 * it is known that nothing will ever lie between.
	 */
	public long position() {
		return this.position;
	}

	/** Reads, and keeps what is final by what was settled before. */
	private Page read(int limit, long maxBytes) {
		// The database need not look at what will not fit.
		int most = (int) Math.min(limit, 1 + maxBytes / this.guess);
		this.readUnder = this.fence;
		LogTable.Rows rows = this.log.page(this.position, this.anchor, most, maxBytes);
		UnreadableEventException unreadable = rows.unreadable();
		boolean last = rows.events().size() < most && rows.bytes() < maxBytes && unreadable == null;
		this.guess = Math.max(rows.bytes() / Math.max(1, rows.events().size()), Math.max(1, this.guess / 2));
		List<StoredEvent> events = new ArrayList<>(rows.events().size());
		long end = this.position;
		for (StoredEvent row : rows.events()) {
			long known = Math.max(end, this.settled);
			if (row.position() > known + 1) {
				return new Page(events, known, true);
			}
			events.add(row);
			end = row.position();
		}
		if (unreadable != null && events.isEmpty()) {
			long known = Math.max(end, this.settled);
			if (unreadable.position() > known + 1) {
				return new Page(events, known, true);
			}
			throw unreadable;
		}
		return new Page(events, last ? Math.max(end, this.settled) : end, false);
	}

	/**
	 * Whether this reader stands at a hole, and all who may fill it have been at it since
	 * before the log was read last: then there is nothing to read that was not there
	 * then.
	 */
	private boolean isUnchanged() {
		PositionBarrier pending = this.fence;
		if (!this.blocked || pending == null || !pending.equals(this.readUnder) || pending.upTo() <= this.position) {
			return false;
		}
		this.fence = pending.after(holders());
		return this.fence.equals(pending);
	}

	/** As they are after the last look of this reader. */
	private Map<String, Boolean> holders() {
		Map<String, Boolean> holders = this.log.holders(this.lookedAt);
		this.lookedAt = System.nanoTime();
		return holders;
	}

	/** Moves {@link #settled} past the hole if that is possible now. */
	private boolean isSettledBehind(long end) {
		PositionBarrier pending = this.fence;
		if (pending == null || pending.upTo() <= end) {
			// In this order: whoever draws a position after the first look at the
			// sequence is not waited for, and whoever drew one before is seen holding
			// its lock, or has ended.
			long drawn = this.log.drawn();
			this.lookedAt = System.nanoTime();
			pending = new PositionBarrier(drawn, holders());
		}
		else {
			pending = pending.after(holders());
		}
		if (!pending.isOpen()) {
			this.fence = pending;
			return false;
		}
		this.settled = pending.upTo();
		this.fence = null;
		return true;
	}

	/** What of the rows read may be handed out, and up to where. */
	private record Page(List<StoredEvent> events, long end, boolean hole) {

	}

}
