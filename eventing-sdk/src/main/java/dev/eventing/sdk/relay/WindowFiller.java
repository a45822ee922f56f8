package dev.eventing.sdk.relay;

import java.util.Objects;
import java.util.UUID;

import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import dev.eventing.sdk.relay.JdbcRelayPositions.Passed;
import dev.eventing.sdk.relay.ReadAhead.Page;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.store.UnreadableEventException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves events from the log into the window of a run: those that the relay publishes,
 * that no stream holds already, and whose stream is not stopped. Not thread-safe.
 */
final class WindowFiller {

	private static final Logger logger = LoggerFactory.getLogger(WindowFiller.class);

	private final RelayOptions options;

	private final Resumption resumption;

	private final ReadAhead log;

	private final StoppedStreams stopped;

	private final RelayCounters counters;

	private final Window window;

	private final RelayCategories categories;

	private long position;

	private @Nullable Passed last;

	WindowFiller(RelayOptions options, Resumption resumption, ReadAhead log, StoppedStreams stopped,
			RelayCounters counters, Window window, RelayCategories categories) {
		this.options = options;
		this.resumption = resumption;
		this.log = log;
		this.stopped = stopped;
		this.counters = counters;
		this.window = window;
		this.categories = categories;
		this.position = resumption.position();
	}

	/**
	 * The position up to which the log has been moved into the window. Pages that were
	 * only read do not count.
	 */
	long position() {
		return this.position;
	}

	/** The last event up to the {@link #position}; null if there was none yet. */
	@Nullable Passed last() {
		return this.last;
	}

	/** Whether there is a page to {@link #take}. */
	boolean areThere() {
		return hasRoom() && this.log.isReady();
	}

	/**
	 * Takes the page that was read ahead, if there is one and room for it, and requests
	 * the next one.
	 */
	boolean take() {
		Page page = hasRoom() ? this.log.poll() : null;
		if (page != null) {
			page.events().forEach(this::take);
			if (page.unreadable() != null) {
				refuse(page.unreadable());
			}
			this.position = page.end();
			if (!page.events().isEmpty()) {
				this.last = Passed.of(page.events().get(page.events().size() - 1));
			}
		}
		if (this.window.roomForBytes() > 0) {
			this.log.ask(this.window.roomForBytes());
		}
		return page != null;
	}

	private boolean hasRoom() {
		return !this.stopped.isFull() && this.window.room() >= this.options.bounds().pageSize();
	}

	private void take(StoredEvent stored) {
		String streamId = Objects.requireNonNull(stored.event().streamId());
		this.categories.saw(streamId);
		if (!this.options.takes(streamId)) {
			return;
		}
		UUID found = this.resumption.present().remove(stored.position());
		if (stored.event().id().equals(found) || isPast(stored)) {
			this.counters.present();
			return;
		}
		if (stored.isErased()) {
			return; // nothing of it is left to publish
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

	/** Refuses an unreadable row. It stops at most its own stream. */
	private void refuse(UnreadableEventException unreadable) {
		if (!this.options.takes(unreadable.streamId())) {
			return;
		}
		this.counters.refused();
		Slot slot = Slot.of(unreadable);
		boolean stops = slot != null && this.options.refusedEvents() == RefusedEvents.STOP_STREAM;
		logger.error("Relay '{}': {} {}", this.options.name(), unreadable.getMessage(),
				stops ? "Later events of that stream are held." : "The relay continues without it.");
		if (slot != null) {
			this.stopped.unreadable(slot, String.valueOf(unreadable.getMessage()));
		}
	}

	/**
	 * Whether the event was published before and need not be published again: only a
	 * stream that has lost its tail needs it.
	 */
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
