package dev.eventing.sdk.projector.feed.jetstream;

import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.nats.DurableState;

/**
 * Counts the deliveries of a durable, and so notices those that went elsewhere or were
 * lost. For the thread of the intake.
 */
final class DeliverySequence {

	private final boolean ordered;

	/** The highest sequence that arrived here. */
	private long arrived;

	/** The number of the next delivery, as the server counts those of the durable. */
	private long nextNumber;

	/** Whether deliveries went elsewhere. */
	private boolean missed;

	/**
	 * Counts from the first delivery that arrives.
	 * @param ordered whether a gap matters, because order is kept
	 */
	DeliverySequence(boolean ordered) {
		this.ordered = ordered;
	}

	long arrived() {
		return this.arrived;
	}

	/**
	 * Whether this delivery follows the last one. The server numbers what it hands out. A
	 * missing number means that another node got deliveries, such as a former owner that
	 * was frozen when it asked: these come again, and this one after them.
	 */
	boolean isNext(Delivery delivery) {
		if (this.ordered && delivery.number() != this.nextNumber) {
			this.missed = true;
			return false;
		}
		this.nextNumber = delivery.number() + 1;
		this.arrived = Math.max(this.arrived, delivery.position().sequence());
		return true;
	}

	/** The last delivery was lost here. */
	void miss() {
		this.missed = true;
	}

	/** Whether the durable has handed out deliveries that did not arrive here. */
	boolean isBehind(DurableState standing) {
		return this.ordered && standing.unsettled() > 0 && (this.missed || standing.delivered() > this.arrived);
	}

	/** The durable is ready: the next delivery is the one after those handed out. */
	void resume(DurableState standing) {
		this.nextNumber = standing.handedOut() + 1;
		this.missed = false;
	}

	/** The next delivery is the first after this sequence. */
	void restartAfter(long sequence) {
		this.arrived = sequence;
	}

}
