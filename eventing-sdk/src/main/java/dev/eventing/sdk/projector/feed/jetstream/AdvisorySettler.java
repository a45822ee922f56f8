package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;

import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.projector.delivery.Settler;

/**
 * Settles the advisory of an event that JetStream will not deliver again. The advisory is
 * redelivered until the event is applied or has a letter.
 */
final class AdvisorySettler implements Settler {

	private final Delivery advisory;

	AdvisorySettler(Delivery advisory) {
		this.advisory = advisory;
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
