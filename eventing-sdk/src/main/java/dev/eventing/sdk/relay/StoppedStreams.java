package dev.eventing.sdk.relay;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.nats.Published;
import dev.eventing.sdk.relay.JdbcRefusals.Open;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.store.UnreadableEventException;

/**
 * The streams of the event store that are stopped by an event which could not be
 * published. The table is authoritative. This class holds the result of its last read,
 * and the changes that are not written yet. Not thread-safe.
 */
final class StoppedStreams {

	private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(1);

	/** The table is read at least this often, because a row may be changed by hand. */
	private static final long LOOK_ANYWAY = TimeUnit.SECONDS.toNanos(30);

	private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(50);

	/**
	 * Reads take one part in this number of the time at most. So a read that takes long
	 * is done less often.
	 */
	private static final int LOOK_SHARE = 20;

	private static final int PAGE = 100;

	private final RefusedEvents policy;

	private final JdbcRefusals refusals;

	private final EventLog log;

	private final RelayCheckpoint checkpoint;

	private final SetAside aside;

	private final Set<StreamKey> streams = new HashSet<>();

	/** The streams with rows that are not written to the table yet. */
	private final Set<StreamKey> unwritten = new HashSet<>();

	private long nextLook = System.nanoTime();

	/** When the table was read last. */
	private long lookedAt = System.nanoTime();

	/** When old late events were forgotten last. */
	private long removedAt = System.nanoTime() - LOOK_ANYWAY;

	/** The number of operators' changes at the last read. */
	private long seen;

	/** Whether rows were written since the last read, or events are left to retry. */
	private boolean changed;

	/** The text about refused events; empty if none stops its stream. */
	private String refused = "";

	/** Whether there are unwritten changes. */
	private boolean unsaved;

	StoppedStreams(RefusedEvents policy, JdbcRefusals refusals, EventLog log, RelayCheckpoint checkpoint,
			SetAside aside) {
		this.aside = aside;
		this.policy = policy;
		this.refusals = refusals;
		this.log = log;
		this.checkpoint = checkpoint;
	}

	/**
	 * Reads the table. Held events may need a release, because the policy may have
	 * changed.
	 */
	void load() {
		if (this.policy == RefusedEvents.SKIP) {
			this.checkpoint.owned(this.refusals::releaseHeld);
		}
		look();
		this.changed = true; // the next read finds the events to retry
	}

	int size() {
		return this.streams.size();
	}

	boolean contains(StreamKey key) {
		return this.streams.contains(key);
	}

	/** Records a refused event whose stream stops. */
	void stopped(Slot slot, List<Slot> followers, String reason) {
		this.streams.add(slot.key());
		this.unwritten.add(slot.key());
		record(slot, reason);
		followers.stream().filter((follower) -> !follower.isRetried()).forEach(this.checkpoint::held);
	}

	/**
	 * Records an event that nothing takes now. Its stream waits until something does.
	 * @param followers the later events of its stream that were in the window
	 */
	void waits(Slot slot, List<Slot> followers, WaitsFor cause) {
		this.unsaved = true;
		this.streams.add(slot.key());
		this.unwritten.add(slot.key());
		List<Slot> news = followers.stream().filter((follower) -> !follower.isRetried()).toList();
		if (slot.isRetried()) {
			this.checkpoint.waitsAgain(slot, cause);
		}
		else {
			this.checkpoint.waits(slot, cause);
		}
		news.forEach(this.checkpoint::held);
		this.aside.added(slot.key(), cause, news.size() + (slot.isRetried() ? 0 : 1));
	}

	/** Whether no more events may be set aside. */
	boolean isFull() {
		return this.aside.isFull();
	}

	/** Why {@link #isFull}; empty if it is not. */
	String whyFull() {
		return this.aside.whyFull();
	}

	/**
	 * Describes what streams wait for, and the refused events that stop others; empty if
	 * there are none.
	 */
	String waitingFor() {
		return (this.aside.describe() + " " + this.refused).strip();
	}

	/**
	 * Records an event whose row cannot be read. Its stream stops, or continues without
	 * it.
	 */
	void unreadable(Slot slot, String reason) {
		if (this.policy == RefusedEvents.STOP_STREAM && contains(slot.key())) {
			held(slot);
		}
		else if (this.policy == RefusedEvents.STOP_STREAM) {
			stopped(slot, List.of(), reason);
		}
		else {
			skipped(slot, reason);
		}
	}

	/** Records a refused event whose stream continues. */
	void skipped(Slot slot, String reason) {
		record(slot, reason);
	}

	private void record(Slot slot, String reason) {
		this.unsaved = true;
		if (slot.isRetried()) {
			this.checkpoint.refusedAgain(slot, reason);
		}
		else {
			this.checkpoint.refused(slot, reason);
		}
	}

	/** Records an event of a stopped stream as held. */
	void held(Slot slot) {
		this.unsaved = true;
		this.unwritten.add(slot.key());
		this.aside.held(slot.key());
		this.checkpoint.held(slot);
	}

	/** Records that an event which was refused or held before is published. */
	void published(Slot slot, Published confirmation) {
		this.unsaved = true;
		this.unwritten.add(slot.key());
		this.checkpoint.published(slot, confirmation);
	}

	/** Records that all changes are written. */
	void saved() {
		this.changed |= this.unsaved;
		this.unsaved = false;
		this.unwritten.clear();
	}

	/**
	 * Checks from time to time which streams are to be retried, and puts their next
	 * events into the window, in order. If nothing has changed, the check reads one row.
	 */
	boolean retryInto(Window window, long now) {
		if (now - this.nextLook < 0) {
			return false;
		}
		this.changed |= this.aside.release(now);
		if (now - this.removedAt >= LOOK_ANYWAY) {
			this.removedAt = now;
			this.checkpoint.removeOldLate();
		}
		if (!mayHaveChanged(now)) {
			this.nextLook = now + LOOK_EVERY;
			return false;
		}
		boolean any = false;
		for (Map.Entry<StreamKey, Open> entry : look().entrySet()) {
			StreamKey key = entry.getKey();
			if (entry.getValue().retry() && !entry.getValue().blocked()) {
				this.changed = true;
				if (!this.unwritten.contains(key) && !window.holds(key) && window.roomForRetries() > 0) {
					any |= retryInto(window, key);
				}
			}
		}
		return any;
	}

	private boolean mayHaveChanged(long now) {
		return this.changed || now - this.lookedAt >= LOOK_ANYWAY || this.refusals.changes() != this.seen;
	}

	private boolean retryInto(Window window, StreamKey key) {
		int limit = Math.min(PAGE, window.roomForRetries());
		List<Long> missing = new ArrayList<>();
		boolean any = false;
		for (long position : this.refusals.toRetry(key, limit)) {
			if (window.roomForBytes() <= 0) {
				break; // the later events follow when these are done
			}
			try {
				Optional<StoredEvent> stored = this.log.find(position);
				if (stored.isPresent() && !stored.get().isErased()) {
					window.add(Slot.retried(stored.get()));
					any = true;
				}
				else {
					missing.add(position); // the event was deleted or erased since
				}
			}
			catch (UnreadableEventException ex) {
				refuseAgain(ex);
				break; // the later events wait for it
			}
		}
		removeDeleted(missing, key);
		if (any) {
			this.nextLook = System.nanoTime() + LOOK_AGAIN; // there may be more
		}
		return any;
	}

	private void removeDeleted(List<Long> missing, StreamKey key) {
		if (!missing.isEmpty()) {
			this.checkpoint.owned(() -> {
				this.refusals.remove(missing);
				this.refusals.release(key); // otherwise no row would lead to the later
											// ones
			});
		}
	}

	private void refuseAgain(UnreadableEventException unreadable) {
		Slot slot = Slot.of(unreadable);
		if (slot != null) {
			this.unsaved = true;
			this.unwritten.add(slot.key());
			this.checkpoint.refusedAgain(slot, String.valueOf(unreadable.getMessage()));
		}
	}

	private Map<StreamKey, Open> look() {
		long begin = System.nanoTime();
		this.lookedAt = begin;
		this.seen = this.refusals.changes(); // must be read before the rows
		Map<StreamKey, Open> open = this.refusals.open();
		this.changed = false;
		this.streams.clear();
		this.streams.addAll(this.unwritten);
		open.forEach((key, rows) -> {
			if (rows.blocked() || rows.retry()) {
				this.streams.add(key);
			}
		});
		this.aside.look(open, this.unwritten);
		long stopped = open.values().stream().filter((rows) -> rows.blocked() && !rows.waiting()).count();
		this.refused = (stopped > 0) ? this.refusals.describeRefused(stopped) : "";
		long end = System.nanoTime();
		this.nextLook = end + Math.max(LOOK_EVERY, LOOK_SHARE * (end - begin));
		return open;
	}

}
