package dev.eventing.sdk.projector.feed.jetstream;

import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.nats.DurableState;
import org.jspecify.annotations.Nullable;

/**
 * Follows the numbers of a durable's deliveries, to find out which did not arrive here.
 * For the thread of the intake.
 */
final class DeliverySequence {

	private final boolean ordered;

	/** The highest sequence that arrived here. */
	private long arrived;

	/** Of the deliveries that arrived here, the one with the highest sequence. */
	private @Nullable EventPlace latest;

	/**
	 * The number of the next delivery. The server numbers the deliveries of a durable.
	 */
	private long nextNumber;

	/** Whether deliveries did not arrive here. */
	private boolean missed;

	/**
	 * Call {@link #resume} before the first delivery.
	 * @param ordered whether gaps matter, because order is kept
	 */
	DeliverySequence(boolean ordered) {
		this.ordered = ordered;
	}

	long arrived() {
		return this.arrived;
	}

	/**
	 * Returns whether this delivery follows the last one. Always true without order. A
	 * missing number means that another node got deliveries, for example a former owner
	 * that was frozen after its request. These must be redelivered before this one is
	 * applied.
	 */
	boolean isNext(Delivery delivery) {
		if (this.ordered && delivery.number() != this.nextNumber) {
			this.missed = true;
			return false;
		}
		this.nextNumber = delivery.number() + 1;
		EventPlace place = delivery.place();
		this.arrived = Math.max(this.arrived, place.sequence());
		if (this.latest == null || place.sequence() > this.latest.sequence()) {
			this.latest = place;
		}
		return true;
	}

	/**
	 * Of the deliveries that arrived here from this stream, the one with the highest
	 * sequence; null for none.
	 */
	@Nullable EventPlace latest() {
		return this.latest;
	}

	/** Forgets it, because the stream does not have it any more. */
	void forgetLatest() {
		this.latest = null;
	}

	/** Records that the last delivery was lost on this node. */
	void miss() {
		this.missed = true;
	}

	/**
	 * Whether deliveries of the durable are unsettled that did not arrive here. Always
	 * false without order.
	 */
	boolean isBehind(DurableState standing) {
		return this.ordered && standing.unsettled() > 0 && (this.missed || standing.delivered() > this.arrived);
	}

	/** Expects the delivery after those that the durable has made so far. */
	void resume(DurableState standing) {
		this.nextNumber = standing.handedOut() + 1;
		this.missed = false;
	}

	/** Expects deliveries after this sequence. */
	void restartAfter(long sequence) {
		this.arrived = sequence;
	}

}
