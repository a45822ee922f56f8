package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.time.Instant;

import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.projector.delivery.Settler;
import dev.eventing.sdk.projector.transaction.ProjectorLease;

/**
 * Settles an event that JetStream delivered. Acks and terms follow a commit, so they are
 * sent by any node, owner or not. Naks are sent only while no other node can own the
 * projector, because that node uses the same durable. In-progress signals are sent until
 * the lease is over. Nothing is sent after the stream was recreated or lost its end.
 */
final class DeliverySettler implements Settler {

	/** Allows for clocks that differ, and for a server that delivers late. */
	private static final Duration MARGIN = Duration.ofSeconds(10);

	private final Delivery delivery;

	private final ProjectorLease projectorLease;

	private volatile Incarnation incarnation;

	DeliverySettler(Delivery delivery, ProjectorLease projectorLease, Incarnation incarnation) {
		this.delivery = delivery;
		this.projectorLease = projectorLease;
		this.incarnation = incarnation;
	}

	@Override
	public boolean renewFrom(Settler later) {
		if (later instanceof DeliverySettler again) {
			this.delivery.renewFrom(again.delivery);
			// the stream lost its end, but not this event
			this.incarnation = again.incarnation;
			return true;
		}
		return false;
	}

	@Override
	public boolean isKeptFor(Duration delay) {
		return this.incarnation.keeps(this.delivery.place().storedAt(), Instant.now().plus(delay).plus(MARGIN));
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
