package dev.eventing.sdk.projector.feed.store;

import java.util.function.LongConsumer;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.delivery.Place;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.store.UnreadableEventException;

/**
 * A row of the event store that cannot be read as an event. Its dead letter has no
 * payload. The row in the event store, at its position, contains the data.
 */
final class UnreadableRow implements StoreOrigin {

	private static final byte[] NOTHING = {};

	private final Place place;

	private final RawEvent raw;

	private final LongConsumer settled;

	private UnreadableRow(Place place, String subject, LongConsumer settled) {
		this.place = place;
		this.raw = new RawEvent(subject, EventHeaders.empty(), NOTHING);
		this.settled = settled;
	}

	/**
	 * Returns the work that makes the row a dead letter.
	 * @param settled called with the position when the checkpoint can pass it
	 */
	static Work work(UnreadableEventException row, String subject, LongConsumer settled) {
		Event<?> envelope = row.envelope();
		TenantId tenantId = (envelope != null) ? envelope.tenantId() : null;
		Place place = new Place(Place.EVENT_STORE, row.position(), row.recordedAt());
		ReadResult read = new ReadResult.Unreadable(ReadResult.Reason.STORED_ROW, String.valueOf(row.getMessage()),
				row.eventId(), tenantId, row.type(), row.streamId());
		return new Work(new UnreadableRow(place, subject, settled), new RoutedEvent(place, read, null, null, false));
	}

	@Override
	public Place place() {
		return this.place;
	}

	@Override
	public RawEvent raw() {
		return this.raw;
	}

	@Override
	public void settled() {
		this.settled.accept(this.place.sequence());
	}

}
