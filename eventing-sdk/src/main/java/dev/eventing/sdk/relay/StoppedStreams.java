package dev.eventing.sdk.relay;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

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

	private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(50);

	/** A look that takes long is taken more rarely. */
	private static final int LOOK_SHARE = 20;

	private static final int PAGE = 100;

	private final RefusedEvents policy;

	private final JdbcRefusals refusals;

	private final EventLog log;

	private final Checkpoint checkpoint;

	private final Set<StreamKey> streams = new HashSet<>();

	/** Of these rows wait to be written, which the table does not show yet. */
	private final Set<StreamKey> unwritten = new HashSet<>();

	private long nextLook = System.nanoTime();

	StoppedStreams(RefusedEvents policy, JdbcRefusals refusals, EventLog log, Checkpoint checkpoint) {
		this.policy = policy;
		this.refusals = refusals;
		this.log = log;
		this.checkpoint = checkpoint;
	}

	/** Reads what there is. */
	void load() {
		if (this.policy == RefusedEvents.SKIP) {
			this.checkpoint.owned(this.refusals::releaseHeld);
		}
		look();
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
		if (slot.isRetried()) {
			this.checkpoint.refusedAgain(slot, reason);
		}
		else {
			this.checkpoint.refused(slot, reason);
		}
	}

	/** An event of a stopped stream came. */
	void held(Slot slot) {
		this.unwritten.add(slot.key());
		this.checkpoint.held(slot);
	}

	/** An event that was refused or held before is published. */
	void published(Slot slot) {
		this.unwritten.add(slot.key());
		this.checkpoint.published(slot);
	}

	/** What was to be written is. */
	void saved() {
		this.unwritten.clear();
	}

	/**
	 * Looks now and then which streams are to be tried again, and puts their next events
	 * into the window, in order.
	 */
	boolean retryInto(Window window, long now) {
		if (now - this.nextLook < 0) {
			return false;
		}
		Map<StreamKey, Boolean> open = look();
		boolean any = false;
		for (Map.Entry<StreamKey, Boolean> entry : open.entrySet()) {
			StreamKey key = entry.getKey();
			boolean skips = this.policy == RefusedEvents.SKIP;
			if ((skips || !entry.getValue()) && !this.unwritten.contains(key) && !window.holds(key)) {
				any |= retryInto(window, key, !skips);
			}
		}
		return any;
	}

	private boolean retryInto(Window window, StreamKey key, boolean heldToo) {
		int limit = Math.min(PAGE, window.room());
		List<Long> missing = new ArrayList<>();
		boolean any = false;
		for (long position : this.refusals.toRetry(key, heldToo, limit)) {
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
			this.checkpoint.owned(() -> this.refusals.remove(missing));
		}
		if (any) {
			this.nextLook = System.nanoTime() + LOOK_AGAIN; // there may be more behind
		}
		return any;
	}

	private void refuseAgain(UnreadableEventException unreadable) {
		Slot slot = Slot.of(unreadable);
		if (slot != null) {
			this.unwritten.add(slot.key());
			this.checkpoint.refusedAgain(slot, String.valueOf(unreadable.getMessage()));
		}
	}

	private Map<StreamKey, Boolean> look() {
		long begin = System.nanoTime();
		Map<StreamKey, Boolean> open = this.refusals.open();
		this.streams.clear();
		this.streams.addAll(this.unwritten);
		open.forEach((key, refused) -> {
			if (this.policy == RefusedEvents.STOP_STREAM) {
				this.streams.add(key);
			}
		});
		long end = System.nanoTime();
		this.nextLook = end + Math.max(LOOK_EVERY, LOOK_SHARE * (end - begin));
		return open;
	}

}
