package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;

import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.nats.Advisories.StoredMessage;
import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.projector.delivery.Origin;
import dev.eventing.sdk.event.EventPlace;

/**
 * The origin of an event that JetStream will not deliver again, found by an advisory.
 * Settling it settles the advisory, which is redelivered until the event is applied or
 * has a letter.
 */
final class GivenUpOrigin implements Origin {

	private final StoredMessage message;

	private final Delivery advisory;

	private final EventPlace place;

	GivenUpOrigin(StoredMessage message, Delivery advisory) {
		this.message = message;
		this.advisory = advisory;
		this.place = message.place();
	}

	@Override
	public EventPlace place() {
		return this.place;
	}

	@Override
	public RawEvent raw() {
		return this.message.raw();
	}

	@Override
	public void acknowledge() {
		this.advisory.acknowledge();
	}

	@Override
	public void term(String reason) {
		this.advisory.acknowledge();
	}

	@Override
	public void nak() {
		this.advisory.nak();
	}

	@Override
	public void nak(Duration delay) {
		this.advisory.nak(delay);
	}

	@Override
	public void inProgress() {
		this.advisory.inProgress();
	}

}
