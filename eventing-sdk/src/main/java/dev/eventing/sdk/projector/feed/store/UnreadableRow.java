package dev.eventing.sdk.projector.feed.store;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.SubjectTenant;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.delivery.SourceEvent;
import dev.eventing.sdk.store.UnreadableEventException;

/**
 * A row of the event store that cannot be read as an event. Its dead letter has no
 * payload. The row in the event store, at its position, contains the data.
 */
public final class UnreadableRow implements SourceEvent {

	private static final byte[] NOTHING = {};

	private final UnreadableEventException row;

	private final EventPlace place;

	private final RawEvent raw;

	/**
	 * Sends no query.
	 * @param subject the subject by which a relay would publish it
	 */
	public UnreadableRow(UnreadableEventException row, String subject) {
		this.row = row;
		this.place = new EventPlace(EventPlace.EVENT_STORE, row.position(), row.recordedAt());
		this.raw = new RawEvent(subject, EventHeaders.empty(), NOTHING);
	}

	@Override
	public ReadResult read(EventReader reader, SubjectTenant subjectTenant) {
		String tenant = this.row.tenantId();
		return new ReadResult.Unreadable(ReadResult.Reason.STORED_ROW, String.valueOf(this.row.getMessage()),
				this.row.eventId(), TenantId.isValid(tenant) ? TenantId.of(tenant) : null, this.row.type(),
				this.row.orderingKey());
	}

	@Override
	public EventPlace place() {
		return this.place;
	}

	@Override
	public String subject() {
		return this.raw.subject();
	}

	@Override
	public int size() {
		return this.raw.subject().length();
	}

	@Override
	public RawEvent raw() {
		return this.raw;
	}

}
