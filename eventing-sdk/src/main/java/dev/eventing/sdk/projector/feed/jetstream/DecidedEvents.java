package dev.eventing.sdk.projector.feed.jetstream;

import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.EditedEvent;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.WireEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.feed.LogSettler;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.feed.store.StoreFill;
import org.jspecify.annotations.Nullable;

/**
 * Makes work of the events of a stream that is read like a log, as operators decided
 * about each event. For the thread of the intake.
 */
final class DecidedEvents {

	private final DeliveryDecoder decoder;

	private final StoreFill fill;

	private final Checkpoint checkpoint;

	/**
	 * Sends no query.
	 * @param fill has the decisions
	 * @param checkpoint learns which events are settled
	 */
	DecidedEvents(DeliveryDecoder decoder, StoreFill fill, Checkpoint checkpoint) {
		this.decoder = decoder;
		this.fill = fill;
		this.checkpoint = checkpoint;
	}

	/** The event as operators decided; null if it is not to be read. */
	@Nullable Work work(Delivery delivery, RoutedEvent received) {
		EventKey key = received.ledgerKey();
		boolean heard = this.decoder.listensTo(received.source().subject());
		if (!this.fill.page().reads(delivery.place().sequence(), key, heard) || !heard) {
			return null;
		}
		byte[] edited = (key != null) ? this.fill.page().editedPayload(key) : null;
		RoutedEvent event = (edited == null) ? received
				: this.decoder.route(EditedEvent.of(WireEvent.of(delivery), edited));
		return Work.edited(received, event, new LogSettler(event.place().sequence(), this.checkpoint::settle));
	}

}
