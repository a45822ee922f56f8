package dev.eventing.sdk.projector.delivery;

import java.time.Duration;

import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.SubjectTenant;

/**
 * Where an event came from, and so where it is settled. Settled once: acknowledged, given
 * back, or terminated; none of these waits for an answer. Thread-safe.
 */
public interface Origin {

	Place place();

	/** The subject handlers know it by. */
	default String subject() {
		return raw().subject();
	}

	/** How many bytes the event has on the wire, or about how many it would. */
	default int size() {
		RawEvent raw = raw();
		return raw.subject().length() + raw.headers().size() + raw.payload().length;
	}

	/** The event as it lies on the wire, or would. */
	RawEvent raw();

	/**
	 * The envelope, understood or not. Never throws for what it holds.
	 * @param subjectTenant what the subject says about the tenant
	 */
	default ReadResult read(EventReader reader, SubjectTenant subjectTenant) {
		return reader.read(raw(), subjectTenant, place().storedAt());
	}

	/** Whether somebody has changed what it holds since it was published. */
	default boolean isEdited() {
		return false;
	}

	/** Whether it would come again if it were given back with this delay. */
	default boolean isKeptFor(Duration delay) {
		return true;
	}

	/**
	 * Settlements of this event go where a later hand-over of it wants them, so that they
	 * count.
	 * @return false if it cannot be handed over twice
	 */
	default boolean renewFrom(Origin later) {
		return false;
	}

	/** The event is done with. */
	void acknowledge();

	/** The event is never to come again; a dead letter keeps it. */
	void term(String reason);

	/** Nothing was done with it: it comes again at once. */
	void nak();

	/** It comes again after the delay. */
	void nak(Duration delay);

	/** Work goes on. */
	void inProgress();

}
