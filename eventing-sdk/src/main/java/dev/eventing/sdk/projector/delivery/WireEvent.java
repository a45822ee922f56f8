package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.SubjectTenant;
import dev.eventing.sdk.nats.Delivery;

/**
 * An event that its source has in the form on the wire.
 *
 * @param place where it is stored
 * @param raw the event
 * @param size the number of bytes of the event
 * @param isEdited whether an operator edited its payload since it was published
 */
public record WireEvent(EventPlace place, RawEvent raw, int size, boolean isEdited) implements SourceEvent {

	/** It is not read: the event that the server makes of it has the same id. */
	private static final ReadResult SCHEDULE = new ReadResult.Unreadable(ReadResult.Reason.UNSUPPORTED,
			"By its header 'Nats-Schedule' this is no event yet: the server publishes one when it is due."
					+ " Consider discarding the letter.",
			null, null, null, null);

	/** Returns the event of a delivery. */
	public static WireEvent of(Delivery delivery) {
		return new WireEvent(delivery.place(), delivery.raw(), delivery.size(), false);
	}

	/** Returns an event whose size its source does not tell. */
	public static WireEvent of(EventPlace place, RawEvent raw, boolean isEdited) {
		return new WireEvent(place, raw, raw.subject().length() + raw.headers().size() + raw.payload().length,
				isEdited);
	}

	@Override
	public String subject() {
		return this.raw.subject();
	}

	@Override
	public ReadResult read(EventReader reader, SubjectTenant subjectTenant) {
		return this.raw.isSchedule() ? SCHEDULE : reader.read(this.raw, subjectTenant, this.place.storedAt());
	}

}
