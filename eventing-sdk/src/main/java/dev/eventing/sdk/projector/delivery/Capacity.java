package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.nats.DurablePull;

/**
 * How many events a projector can take now.
 * 
 * @param events the number of events; 0 if it can take none
 * @param bytes the number of bytes that these may have together
 */
public record Capacity(int events, long bytes) {

	public static final Capacity NONE = new Capacity(0, 0);

	/** Capacity for one event of any size. */
	static final Capacity FOR_ONE = new Capacity(1, DurablePull.ANY_BYTES);

	public boolean isNone() {
		return this.events == 0;
	}

}
