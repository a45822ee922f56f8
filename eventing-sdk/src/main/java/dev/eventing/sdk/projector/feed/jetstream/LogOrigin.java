package dev.eventing.sdk.projector.feed.jetstream;

import java.util.function.LongConsumer;

import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.SubjectTenant;
import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.projector.feed.store.StoreOrigin;
import org.jspecify.annotations.Nullable;

/** An event of a stream that is read like a log. Nothing is sent to the server for it. */
final class LogOrigin implements StoreOrigin {

	private final Delivery delivery;

	private final LongConsumer settled;

	private final byte @Nullable [] edited;

	private final EventPlace place;

	/**
	 * Creates the origin of an event.
	 * @param settled called with the sequence when the checkpoint can pass it
	 * @param edited the payload that an operator gave it, or null
	 */
	LogOrigin(Delivery delivery, LongConsumer settled, byte @Nullable [] edited) {
		this.delivery = delivery;
		this.settled = settled;
		this.edited = edited;
		this.place = delivery.place();
	}

	@Override
	public EventPlace place() {
		return this.place;
	}

	@Override
	public int size() {
		return this.delivery.size();
	}

	@Override
	public RawEvent raw() {
		return this.delivery.raw();
	}

	@Override
	public ReadResult read(EventReader reader, SubjectTenant subjectTenant) {
		ReadResult read = reader.read(raw(), subjectTenant, this.place.storedAt());
		byte[] other = this.edited;
		return (other != null && read instanceof ReadResult.Readable readable)
				? new ReadResult.Readable(readable.event().map((payload) -> payload.replacedBy(other))) : read;
	}

	@Override
	public boolean isEdited() {
		return this.edited != null;
	}

	@Override
	public void settled() {
		this.settled.accept(this.place.sequence());
	}

}
