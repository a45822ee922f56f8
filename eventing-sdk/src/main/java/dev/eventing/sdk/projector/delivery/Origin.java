package dev.eventing.sdk.projector.delivery;

import java.time.Duration;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.SubjectTenant;

/**
 * The source of an event, through which it is settled. An event is settled once: by ack,
 * nak or term. None of these waits for an answer. Thread-safe.
 */
public interface Origin {

	EventPlace place();

	/** The subject by which handlers select it. */
	default String subject() {
		return raw().subject();
	}

	/** The exact or approximate number of bytes of the event on the wire. */
	default int size() {
		RawEvent raw = raw();
		return raw.subject().length() + raw.headers().size() + raw.payload().length;
	}

	/** The event in its form on the wire. */
	RawEvent raw();

	/**
	 * Reads the envelope. Does not throw, whatever the event contains.
	 * @param subjectTenant returns the tenant in the subject
	 */
	default ReadResult read(EventReader reader, SubjectTenant subjectTenant) {
		return reader.read(raw(), subjectTenant, place().storedAt());
	}

	/** Whether its payload was edited since it was published. */
	default boolean isEdited() {
		return false;
	}

	/** Whether the source would still redeliver it after a nak with this delay. */
	default boolean isKeptFor(Duration delay) {
		return true;
	}

	/**
	 * Settles this event through a later delivery of it from now on, because the earlier
	 * delivery may no longer count.
	 * @return false if this source does not deliver an event twice
	 */
	default boolean renewFrom(Origin later) {
		return false;
	}

	/** Acknowledges the event. */
	void acknowledge();

	/** Terminates the event: it is not delivered again. A dead letter keeps it. */
	void term(String reason);

	/** Requests redelivery at once. */
	void nak();

	/** Requests redelivery after the delay. */
	void nak(Duration delay);

	/** Signals that the work is still in progress. */
	void inProgress();

}
