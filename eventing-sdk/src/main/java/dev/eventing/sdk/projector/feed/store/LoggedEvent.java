package dev.eventing.sdk.projector.feed.store;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.InvalidEventException;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.SubjectTenant;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.projector.delivery.SourceEvent;
import dev.eventing.sdk.store.StoredEvent;

/** An event that was read from the log of the event store. */
public final class LoggedEvent implements SourceEvent {

	private final StoredEvent stored;

	private final String subject;

	private final EventWriter writer;

	private final EventPlace place;

	/**
	 * Sends no query.
	 * @param subject the subject by which a relay would publish it
	 * @param writer converts it to its form on the wire
	 */
	public LoggedEvent(StoredEvent stored, String subject, EventWriter writer) {
		this.stored = stored;
		this.subject = subject;
		this.writer = writer;
		this.place = new EventPlace(EventPlace.EVENT_STORE, stored.position(), stored.recordedAt());
	}

	@Override
	public EventPlace place() {
		return this.place;
	}

	@Override
	public String subject() {
		return this.subject;
	}

	/** An estimate that does not need the wire form. */
	@Override
	public int size() {
		Event<UnboundPayload> event = this.stored.event();
		return this.subject.length() + event.headers().size() + event.payload().bytes().length;
	}

	/**
	 * The event as a relay would publish it. If that is not possible, the event as it is
	 * stored.
	 */
	@Override
	public RawEvent raw() {
		Event<UnboundPayload> event = this.stored.event();
		try {
			return this.writer.write(this.subject, event);
		}
		catch (InvalidEventException ex) {
			return new RawEvent(this.subject, event.headers(), event.payload().bytes());
		}
	}

	/**
	 * The tenant in the store is always right. A subject with another tenant is an error.
	 */
	@Override
	public ReadResult read(EventReader reader, SubjectTenant subjectTenant) {
		Event<UnboundPayload> event = this.stored.event();
		String token = subjectTenant.of(event.type());
		if (token != null && !token.equals(event.tenantId().value())) {
			return new ReadResult.Unreadable(ReadResult.Reason.TENANT_MISMATCH,
					"{tenant} in the handler's subject does not match the event's tenant in its subject '"
							+ this.subject
							+ "'. Consider a handler subject that matches the subjects of stored events.",
					event.id(), event.tenantId(), event.type(), event.orderingKey());
		}
		return new ReadResult.Readable(event);
	}

}
