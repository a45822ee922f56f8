package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.time.Instant;

import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.projector.delivery.Origin;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.projector.transaction.ProjectorLease;

/**
 * The origin of an event that JetStream delivered. Acks and terms follow a commit, so
 * they are sent whoever owns the projector by then. Naks are sent only while no other
 * node can own it, because that node uses the same durable. In-progress signals are sent
 * until the lease is over. Nothing is sent after the stream was recreated or lost its
 * end.
 */
final class DeliveryOrigin implements Origin {

	/** Allows for clocks that differ, and for a server that delivers late. */
	private static final Duration MARGIN = Duration.ofSeconds(10);

	private final Delivery delivery;

	private final ProjectorLease projectorLease;

	private volatile Incarnation incarnation;

	private final EventPlace place;

	DeliveryOrigin(Delivery delivery, ProjectorLease projectorLease, Incarnation incarnation) {
		this.delivery = delivery;
		this.projectorLease = projectorLease;
		this.incarnation = incarnation;
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
	public boolean renewFrom(Origin later) {
		if (later instanceof DeliveryOrigin again) {
			this.delivery.renewFrom(again.delivery);
			this.incarnation = again.incarnation; // the stream lost its end, not this one
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
	public void term(String reason) {
		if (!this.incarnation.isOver()) {
			this.delivery.term(reason);
		}
	}

	@Override
	public void nak() {
		if (this.projectorLease.isCurrent() && !this.incarnation.isOver()) {
			this.delivery.nak();
		}
	}

	@Override
	public void nak(Duration delay) {
		if (this.projectorLease.isCurrent() && !this.incarnation.isOver()) {
			this.delivery.nak(delay);
		}
	}

	@Override
	public void inProgress() {
		if (!this.projectorLease.isOver() && !this.incarnation.isOver()) {
			this.delivery.inProgress();
		}
	}

}
