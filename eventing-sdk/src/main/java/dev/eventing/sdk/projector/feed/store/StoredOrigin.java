package dev.eventing.sdk.projector.feed.store;

import java.time.Duration;
import java.util.function.LongConsumer;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.InvalidEventException;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.SubjectTenant;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.projector.delivery.Origin;
import dev.eventing.sdk.projector.delivery.Place;
import dev.eventing.sdk.store.StoredEvent;

/**
 * An event that was read from the event store. To settle it is to let the checkpoint pass
 * it; what is not settled comes again when the projector starts.
 */
final class StoredOrigin implements Origin {

	private final StoredEvent stored;

	private final String subject;

	private final EventWriter writer;

	private final LongConsumer settled;

	private final Place place;

	StoredOrigin(StoredEvent stored, String subject, EventWriter writer, LongConsumer settled) {
		this.stored = stored;
		this.subject = subject;
		this.writer = writer;
		this.settled = settled;
		this.place = new Place(Place.EVENT_STORE, stored.position(), stored.recordedAt());
	}

	@Override
	public Place place() {
		return this.place;
	}

	@Override
	public String subject() {
		return this.subject;
	}

	/** Without writing it: the names of its headers are left out. */
	@Override
	public int size() {
		Event<UnboundPayload> event = this.stored.event();
		return this.subject.length() + event.headers().size() + event.payload().bytes().length;
	}

	/** As a relay would publish it, or, where that is not possible, as it was stored. */
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

	/** The store's own tenant is certain; a subject that says another is a mistake. */
	@Override
	public ReadResult read(EventReader reader, SubjectTenant subjectTenant) {
		Event<UnboundPayload> event = this.stored.event();
		String token = subjectTenant.of(event.type());
		if (token != null && !token.equals(event.tenantId().value())) {
			return new ReadResult.Unreadable(ReadResult.Reason.TENANT_MISMATCH,
					"The subject of the handler has {tenant} where that of the event, '" + this.subject
							+ "', has something else. Consider a subject that fits how stored events are named.",
					event.id(), null, event.type(), event.orderingKey());
		}
		return new ReadResult.Readable(event);
	}

	@Override
	public void acknowledge() {
		this.settled.accept(this.place.sequence());
	}

	@Override
	public void term(String reason) {
		this.settled.accept(this.place.sequence());
	}

	@Override
	public void nak() {
		// not settled: the checkpoint stays behind it
	}

	@Override
	public void nak(Duration delay) {
		throw new IllegalStateException(this.place + " has no queue to be given back to");
	}

	@Override
	public void inProgress() {
		// nobody waits for a sign
	}

}
