package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.SubjectTenant;

/**
 * An event as its source has it: a stream, the event store, or a dead letter. None of
 * this changes, and nothing here settles the event; see {@link Settler}. Thread-safe.
 */
public interface SourceEvent {

	EventPlace place();

	/** The subject by which handlers select it. */
	String subject();

	/** The exact or approximate number of bytes of the event on the wire. */
	int size();

	/** The event in its form on the wire. */
	RawEvent raw();

	/**
	 * Reads the envelope. Does not throw, whatever the event contains.
	 * @param subjectTenant returns the tenant in the subject
	 */
	ReadResult read(EventReader reader, SubjectTenant subjectTenant);

	/** Whether its payload was edited since it was published. */
	default boolean isEdited() {
		return false;
	}

}
