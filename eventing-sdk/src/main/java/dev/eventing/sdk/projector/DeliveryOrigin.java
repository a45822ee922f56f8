package dev.eventing.sdk.projector;

import java.time.Duration;
import java.time.Instant;

import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.nats.Delivery;

/**
 * An event that JetStream handed over. What was committed is settled whoever owns the
 * projector by then. Nothing else is sent once another node may own it, because that node
 * has the same durable and would feel it. Nothing at all is sent once the stream was made
 * anew.
 */
final class DeliveryOrigin implements Origin {

	/** For clocks that differ, and a server that is slow to deliver. */
	private static final Duration MARGIN = Duration.ofSeconds(10);

	private final Delivery delivery;

	private final Tenure tenure;

	private final Incarnation incarnation;

	private final Place place;

	DeliveryOrigin(Delivery delivery, Tenure tenure, Incarnation incarnation) {
		this.delivery = delivery;
		this.tenure = tenure;
		this.incarnation = incarnation;
		this.place = Place.of(delivery.position());
	}

	@Override
	public Place place() {
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
	public boolean renewFrom(Origin later) {
		if (later instanceof DeliveryOrigin again) {
			this.delivery.renewFrom(again.delivery);
			return true;
		}
		return false;
	}

	@Override
	public boolean isKeptFor(Duration delay) {
		return this.incarnation.keeps(this.place.storedAt(), Instant.now().plus(delay).plus(MARGIN));
	}

	@Override
	public void acknowledge() {
		if (!this.incarnation.isOver()) {
			this.delivery.acknowledge();
		}
	}

	@Override
	public void terminate(String reason) {
		if (!this.incarnation.isOver()) {
			this.delivery.terminate(reason);
		}
	}

	@Override
	public void giveBack() {
		if (this.tenure.isCurrent() && !this.incarnation.isOver()) {
			this.delivery.giveBack();
		}
	}

	@Override
	public void giveBack(Duration delay) {
		if (this.tenure.isCurrent() && !this.incarnation.isOver()) {
			this.delivery.giveBack(delay);
		}
	}

	@Override
	public void inProgress() {
		if (!this.tenure.isOver() && !this.incarnation.isOver()) {
			this.delivery.inProgress();
		}
	}

}
