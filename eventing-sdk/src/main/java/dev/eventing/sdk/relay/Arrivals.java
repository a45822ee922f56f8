package dev.eventing.sdk.relay;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import dev.eventing.sdk.relay.RelayRun.Parts;
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.LogReader;
import dev.eventing.sdk.store.StoredEvent;

/**
 * What comes from the log into the window of a run: that which the relay publishes, no
 * stream holds already, and no refused event holds up. Not thread-safe.
 */
final class Arrivals {

	private static final long SHORTEST_POLL = TimeUnit.MILLISECONDS.toNanos(1);

	private final RelayOptions options;

	private final Resumption resumption;

	private final LogReader reader;

	private final AppendSignal signal;

	private final StoppedStreams stopped;

	private final RelayCounters counters;

	private final Window window;

	private long poll = SHORTEST_POLL;

	private long nextRead = System.nanoTime();

	private long seen = -1;

	Arrivals(RelayOptions options, Resumption resumption, Parts parts, Window window) {
		this.options = options;
		this.resumption = resumption;
		this.reader = parts.reader();
		this.signal = parts.signal();
		this.stopped = parts.stopped();
		this.counters = parts.counters();
		this.window = window;
	}

	/** Up to where everything has come into the window. */
	long position() {
		return this.reader.position();
	}

	boolean hasRoom() {
		return this.window.room() >= this.options.pageSize();
	}

	/** When the log is looked at again though nobody has told of an event. */
	long nextRead() {
		return this.nextRead;
	}

	/** How many appends had been told of when the log was looked at last. */
	long seen() {
		return this.seen;
	}

	/** Reads a page if there is room and there may be one; returns whether there was. */
	boolean read(long now) {
		long count = this.signal.count();
		if (!hasRoom() || (now - this.nextRead < 0 && count == this.seen)) {
			return false;
		}
		this.seen = count;
		long before = this.reader.position();
		List<StoredEvent> page = this.reader.next(this.options.pageSize());
		page.forEach(this::take);
		if (this.reader.position() > before) {
			this.poll = SHORTEST_POLL;
			this.nextRead = now;
			return true;
		}
		this.nextRead = System.nanoTime() + this.poll;
		this.poll = Math.min(this.options.longestPoll().toNanos(), 2 * this.poll);
		return false;
	}

	private void take(StoredEvent stored) {
		if (!this.options.takes(Objects.requireNonNull(stored.event().streamId()))) {
			return;
		}
		UUID found = this.resumption.present().remove(stored.position());
		if (stored.event().id().equals(found) || isPast(stored)) {
			this.counters.present();
			return;
		}
		Slot slot = Slot.of(stored);
		if (this.stopped.contains(slot.key())) {
			this.stopped.held(slot);
			this.counters.held();
		}
		else {
			this.window.add(slot);
		}
	}

	/** What was published before a stream lost its tail only that stream needs again. */
	private boolean isPast(StoredEvent stored) {
		if (stored.position() > this.resumption.reached()) {
			return false;
		}
		try {
			String subject = this.options.subjects().subjectOf(stored.event());
			return this.resumption.lost().stream().noneMatch((tail) -> tail.carries(subject));
		}
		catch (InvalidSubjectException ex) {
			return true; // it was refused already
		}
	}

}
