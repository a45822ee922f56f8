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
 * The streams of the event store that wait behind an event which could not be published.
 * Which they are is in the table; here lies what was found there last, and what is about
 * to be written. Not thread-safe.
 */
final class StoppedStreams {

	private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(1);

	/** Somebody may have changed a row by hand. */
	private static final long LOOK_ANYWAY = TimeUnit.SECONDS.toNanos(30);

	private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(50);

	/** A look that takes long is taken more rarely. */
	private static final int LOOK_SHARE = 20;

	private static final int PAGE = 100;

	/** How often streams are asked for subjects that none carried. */
	private static final long ASK_EVERY = TimeUnit.SECONDS.toNanos(2);

	private static final int MOST_SUBJECTS = 1000;

	/** By one statement, which may not take long; a million streams may wait. */
	private static final int MOST_RELEASED = 10_000;

	private final RefusedEvents policy;

	private final JdbcRefusals refusals;

	private final EventLog log;

	private final RelayCheckpoint checkpoint;

	private final UncoveredSubjects uncovered;

	private final Set<StreamKey> streams = new HashSet<>();

	/** Of these rows wait to be written, which the table does not show yet. */
	private final Set<StreamKey> unwritten = new HashSet<>();

	private long nextLook = System.nanoTime();

	/** When the streams were looked at last. */
	private long lookedAt = System.nanoTime();

	/** The changes of operators that the last look saw. */
	private long seen;

	/** Whether something was written since, or something is left to try. */
	private boolean changed;

	/** How many streams wait for a subject, and the first of these subjects. */
	private int waiting;

	private List<String> subjects = List.of();

	private long nextAsk = System.nanoTime();

	/** Whether something waits to be written. */
	private boolean unsaved;

	StoppedStreams(RefusedEvents policy, JdbcRefusals refusals, EventLog log, RelayCheckpoint checkpoint,
			UncoveredSubjects uncovered) {
		this.uncovered = uncovered;
		this.policy = policy;
		this.refusals = refusals;
		this.log = log;
		this.checkpoint = checkpoint;
	}

	/** Reads what there is; the policy may have been another one. */
	void load() {
		if (this.policy == RefusedEvents.SKIP) {
			this.checkpoint.owned(this.refusals::releaseHeld);
		}
		look();
		this.changed = true; // what is to be tried is tried by the next look
	}

	int size() {
		return this.streams.size();
	}

	boolean contains(StreamKey key) {
		return this.streams.contains(key);
	}

	/** An event was refused, and its stream stops. */
	void stopped(Slot slot, List<Slot> followers, String reason) {
		this.streams.add(slot.key());
		this.unwritten.add(slot.key());
		record(slot, reason);
		followers.stream().filter((follower) -> !follower.isRetried()).forEach(this.checkpoint::held);
	}

	/** No stream carries the subject of an event: its stream waits for that. */
	void waits(Slot slot, List<Slot> followers, String subject) {
		this.unsaved = true;
		this.streams.add(slot.key());
		this.unwritten.add(slot.key());
		String reason = "No stream of JetStream carries '" + subject
				+ "'. It is published once one does. Consider adding the subject to a stream.";
		if (slot.isRetried()) {
			this.checkpoint.waitsAgain(slot, reason, subject);
		}
		else {
			this.checkpoint.waits(slot, reason, subject);
		}
		followers.stream().filter((follower) -> !follower.isRetried()).forEach(this.checkpoint::held);
	}

	/**
	 * What streams wait for because no stream of JetStream carries it; empty for nothing.
	 */
	String waitingFor() {
		if (this.subjects.isEmpty()) {
			return "";
		}
		int others = this.subjects.size() - 1;
		return "No stream of JetStream carries '" + this.subjects.get(0) + "'"
				+ ((others > 0) ? ", and so with " + others + " or more other subjects" : "") + ". Of the event store "
				+ this.waiting + " streams wait for that, the others go on. Consider adding the subjects to a stream.";
	}

	/** The row of an event cannot be read; its stream stops, or goes on without it. */
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

	/** An event was refused, and its stream goes on. */
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

	/** An event of a stopped stream came. */
	void held(Slot slot) {
		this.unsaved = true;
		this.unwritten.add(slot.key());
		this.checkpoint.held(slot);
	}

	/** An event that was refused or held before is published. */
	void published(Slot slot) {
		this.unsaved = true;
		this.unwritten.add(slot.key());
		this.checkpoint.published(slot);
	}

	/** What was to be written is. */
	void saved() {
		this.changed |= this.unsaved;
		this.unsaved = false;
		this.unwritten.clear();
	}

	/**
	 * Looks now and then which streams are to be tried again, and puts their next events
	 * into the window, in order. Where nothing has changed that is one row.
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

	/** Has what waited for a subject published once a stream carries it. */
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
				break; // those behind follow when these are done
			}
			try {
				Optional<StoredEvent> stored = this.log.find(position);
				if (stored.isPresent()) {
					window.add(Slot.retried(stored.get()));
					any = true;
				}
				else {
					missing.add(position); // it was deleted since
				}
			}
			catch (UnreadableEventException ex) {
				refuseAgain(ex);
				break; // those behind wait for it
			}
		}
		if (!missing.isEmpty()) {
			this.checkpoint.owned(() -> {
				this.refusals.remove(missing);
				this.refusals.release(key); // else nothing would tell of what is behind
			});
		}
		if (any) {
			this.nextLook = System.nanoTime() + LOOK_AGAIN; // there may be more behind
		}
		return any;
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
		this.seen = this.refusals.changes(); // before the rows
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
		long end = System.nanoTime();
		this.nextLook = end + Math.max(LOOK_EVERY, LOOK_SHARE * (end - begin));
		return open;
	}

}
