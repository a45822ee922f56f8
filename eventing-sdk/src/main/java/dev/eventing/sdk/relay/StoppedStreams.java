package dev.eventing.sdk.relay;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

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
	 * A read that takes long is done less often: it may take one part in this number of
	 * the time.
	 */
	private static final int LOOK_SHARE = 20;

	private static final int PAGE = 100;

	/** The pause between two checks whether streams carry the missing subjects. */
	private static final long ASK_EVERY = TimeUnit.SECONDS.toNanos(2);

	private static final int MOST_SUBJECTS = 1000;

	/**
	 * The maximum number of rows released by one statement, which must be short: a
	 * million streams may wait.
	 */
	private static final int MOST_RELEASED = 10_000;

	private final RefusedEvents policy;

	private final JdbcRefusals refusals;

	private final EventLog log;

	private final RelayCheckpoint checkpoint;

	private final UncoveredSubjects uncovered;

	private final Set<StreamKey> streams = new HashSet<>();

	/** The streams with rows that are not written to the table yet. */
	private final Set<StreamKey> unwritten = new HashSet<>();

	private long nextLook = System.nanoTime();

	/** When the table was read last. */
	private long lookedAt = System.nanoTime();

	/** The number of operators' changes at the last read. */
	private long seen;

	/** Whether rows were written since the last read, or events are left to retry. */
	private boolean changed;

	/** How many streams wait for a subject, and the first of these subjects. */
	private int waiting;

	private List<String> subjects = List.of();

	/** What is to be said of refused events; empty if none stops its stream. */
	private String refused = "";

	private long nextAsk = System.nanoTime();

	/** Whether there are unwritten changes. */
	private boolean unsaved;

	StoppedStreams(RefusedEvents policy, JdbcRefusals refusals, EventLog log, RelayCheckpoint checkpoint,
			UncoveredSubjects uncovered) {
		this.uncovered = uncovered;
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
	 * Records an event whose subject no stream of JetStream takes. Its stream waits until
	 * one does.
	 */
	void waits(Slot slot, List<Slot> followers, String subject, String reason) {
		this.unsaved = true;
		this.streams.add(slot.key());
		this.unwritten.add(slot.key());
		if (slot.isRetried()) {
			this.checkpoint.waitsAgain(slot, reason, subject);
		}
		else {
			this.checkpoint.waits(slot, reason, subject);
		}
		followers.stream().filter((follower) -> !follower.isRetried()).forEach(this.checkpoint::held);
	}

	/**
	 * Describes the subjects that streams wait for because no stream of JetStream carries
	 * them, or they are full; else the refused events that stop streams; empty if there
	 * are none.
	 */
	String waitingFor() {
		if (this.subjects.isEmpty()) {
			return this.refused;
		}
		int others = this.subjects.size() - 1;
		String first = this.subjects.get(0);
		boolean uncovered = this.uncovered.contains(first);
		return "No stream of JetStream " + (uncovered ? "carries '" : "has room for '") + first + "'"
				+ ((others > 0) ? ", nor " + others + " or more other subjects" : "") + ". In the event store "
				+ this.waiting + " streams wait for that; the others continue. Consider "
				+ (uncovered ? "adding the subjects to a stream." : "a larger limit of messages per subject.");
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
		this.checkpoint.held(slot);
	}

	/** Records that an event which was refused or held before is published. */
	void published(Slot slot) {
		this.unsaved = true;
		this.unwritten.add(slot.key());
		this.checkpoint.published(slot);
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
		askForSubjects(now);
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

	/** Releases events that wait for a subject once a stream carries it. */
	private void askForSubjects(long now) {
		if (this.subjects.isEmpty() || now - this.nextAsk < 0) {
			return;
		}
		List<String> page = this.subjects;
		publishCarried(page);
		while (page.size() == MOST_SUBJECTS) {
			page = this.refusals.waitingFor(page.get(page.size() - 1), MOST_SUBJECTS);
			publishCarried(page);
		}
		this.nextAsk = now + ASK_EVERY;
	}

	private void publishCarried(List<String> page) {
		List<String> carried = this.uncovered.carried(page);
		AtomicInteger released = new AtomicInteger(carried.isEmpty() ? 0 : MOST_RELEASED);
		while (released.get() == MOST_RELEASED) {
			this.checkpoint.owned(() -> released.set(this.refusals.carried(carried, MOST_RELEASED)));
			this.changed = true;
		}
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
		this.waiting = (int) open.values().stream().filter(Open::waiting).count();
		this.subjects = (this.waiting > 0) ? this.refusals.waitingFor("", MOST_SUBJECTS) : List.of();
		long stopped = open.values().stream().filter((rows) -> rows.blocked() && !rows.waiting()).count();
		this.refused = (stopped > 0) ? this.refusals.describeRefused(stopped) : "";
		long end = System.nanoTime();
		this.nextLook = end + Math.max(LOOK_EVERY, LOOK_SHARE * (end - begin));
		return open;
	}

}
