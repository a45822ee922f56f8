package dev.eventing.sdk.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.nats.EventRefusedException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.StreamNotTakingException;
import dev.eventing.sdk.nats.SubjectDeniedException;
import dev.eventing.sdk.nats.SubjectFullException;
import dev.eventing.sdk.nats.SubjectNotTakenException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of an event that JetStream has not stored: it is refused, it is
 * set aside until its place takes events, or it is published again from the window. Not
 * thread-safe.
 */
final class FailedPublishes {

	private static final Logger logger = LoggerFactory.getLogger(FailedPublishes.class);

	private static final long FIRST_RETRY = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int DOUBLINGS = 5;

	private final RelayOptions options;

	private final Window window;

	private final StoppedStreams stopped;

	private final UncoveredSubjects uncovered;

	private final ClosedPlaces places;

	private final RelayCounters counters;

	private final LoggedRetries retries;

	private @Nullable String last;

	/** Whether an event was not confirmed since the streams were compared. */
	private boolean disturbed;

	/** Whether an event was confirmed after that. */
	private boolean over;

	FailedPublishes(RelayOptions options, Window window, StoppedStreams stopped, SetAside aside, RelayCounters counters,
			LoggedRetries retries) {
		this.options = options;
		this.window = window;
		this.stopped = stopped;
		this.uncovered = aside.uncovered();
		this.places = aside.places();
		this.counters = counters;
		this.retries = retries;
	}

	/** Why events wait to be published again; null if none waits. */
	@Nullable String trouble() {
		return (this.window.delayed() > 0 || this.places.isBlind()) ? this.last : null;
	}

	/** Records that events were confirmed. */
	void confirmed(Outcome outcome, String stream) {
		this.over = this.disturbed;
		if (this.places.needConfirmations()) {
			long now = System.nanoTime();
			outcome.slots()
				.forEach((slot) -> this.places.confirmed(stream, this.options.subjects().subjectOf(slot.event()), now));
		}
	}

	/** Records that these events are done. */
	void done(List<Slot> slots) {
		if (this.window.repeated() == 0) {
			this.retries.over(slots.get(slots.size() - 1));
		}
	}

	/** Whether events are confirmed again after some were not. */
	boolean areOver() {
		return this.over;
	}

	/** Records that the streams were compared. */
	void compared() {
		this.disturbed = false;
		this.over = false;
	}

	/** The event was answered with an error. */
	void failed(Slot slot, Outcome outcome) {
		Throwable error = Objects.requireNonNull(outcome.error());
		if (error instanceof EventRefusedException) {
			refused(slot, outcome.message());
		}
		else if (error instanceof SubjectNotTakenException notTaken && this.uncovered.contains(notTaken.subject())) {
			waits(slot, WaitsFor.carrier(notTaken.subject()), this.uncovered.isNews(notTaken.subject()));
		}
		else {
			String place = placeOf(error);
			if (place != null) {
				closed(slot, place, error, outcome.message());
			}
			else {
				again(slot, error, outcome.message());
			}
		}
	}

	private static @Nullable String placeOf(Throwable error) {
		if (error instanceof StreamNotTakingException notTaking) {
			String stream = notTaking.stream();
			return (stream != null) ? ClosedPlaces.stream(stream) : ClosedPlaces.subject(notTaking.subject());
		}
		if (error instanceof SubjectFullException full) {
			return ClosedPlaces.subject(full.subject());
		}
		return (error instanceof SubjectDeniedException denied) ? ClosedPlaces.subject(denied.subject()) : null;
	}

	/** The place of the event takes none now. Other places may. */
	private void closed(Slot slot, String place, Throwable error, String reason) {
		long now = System.nanoTime();
		this.places.failed(place, now);
		boolean othersTake = slot.isRetried() || this.places.othersTake(place);
		if (!othersTake && !mayBeBlind(error)) {
			again(slot, error, reason);
		}
		else if (!slot.isRetried() && this.stopped.isFull()) {
			again(slot, error, reason);
		}
		else {
			int events = waits(slot, WaitsFor.place(place, reason), this.places.isNews(place, now));
			if (!othersTake) {
				this.last = said(slot, reason);
				this.places.setAsideBlindly(events);
			}
		}
	}

	/**
	 * Whether the window may be full of events that wait for closed places, so that it
	 * does not reach later events which could be published. Not if the only stream of the
	 * relay is full: then nothing can be published.
	 */
	private boolean mayBeBlind(Throwable error) {
		if (this.window.room() >= this.options.bounds().pageSize() || !this.places.mayBeBlind()) {
			return false;
		}
		String stream = (error instanceof StreamNotTakingException notTaking) ? notTaking.stream() : null;
		return stream == null || this.uncovered.hasOthersThan(stream);
	}

	private void refused(Slot slot, String reason) {
		this.counters.refused();
		logger.error("Relay '{}': event {} of tenant '{}', stream '{}', at position {} cannot be published: {} {}",
				this.options.name(), slot.event().id(), slot.key().tenantId(), slot.key().streamId(), slot.position(),
				reason, (this.options.refusedEvents() == RefusedEvents.SKIP) ? "The relay continues without it."
						: "Later events of that stream are held.");
		if (this.options.refusedEvents() == RefusedEvents.SKIP) {
			this.window.done(slot);
			this.stopped.skipped(slot, reason);
		}
		else {
			List<Slot> followers = this.window.stopBehind(slot);
			this.stopped.stopped(slot, followers, reason);
			followers.stream().filter((follower) -> !follower.isRetried()).forEach((follower) -> this.counters.held());
		}
	}

	/**
	 * Makes the event's stream wait outside the window.
	 * @return the number of events that were not set aside before
	 */
	private int waits(Slot slot, WaitsFor cause, boolean news) {
		if (news) {
			logger.warn(
					"Relay '{}': streams of the event store wait, from event {} of tenant '{}', stream '{}', at position {}"
							+ " on. Other streams continue. {}",
					this.options.name(), slot.event().id(), slot.key().tenantId(), slot.key().streamId(),
					slot.position(), cause.reason());
		}
		List<Slot> waiting = new ArrayList<>(this.window.stopBehind(slot));
		this.stopped.waits(slot, List.copyOf(waiting), cause);
		waiting.add(slot);
		int events = (int) waiting.stream().filter((one) -> !one.isRetried()).count();
		for (int i = 0; i < events; i++) {
			this.counters.held();
		}
		return events;
	}

	/** JetStream has not answered. */
	void unanswered(Slot slot, NatsUnavailableException error) {
		again(slot, error, String.valueOf(error.getMessage()));
	}

	/** Publishes the event again after a pause. Its stream waits in the window. */
	private void again(Slot slot, Throwable error, String reason) {
		this.retries.unconfirmed(slot, error, reason);
		this.disturbed = true;
		this.over = false;
		this.last = said(slot, reason);
		this.counters.retried();
		long delay = FIRST_RETRY << Math.min(DOUBLINGS, slot.attempt - 1);
		this.window.delay(slot, System.nanoTime() + delay);
	}

	private static String said(Slot slot, String reason) {
		return "Position " + slot.position() + ": " + reason;
	}

}
