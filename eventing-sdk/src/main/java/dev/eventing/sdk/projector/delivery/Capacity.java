package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.nats.DurablePull;

/**
 * What a projector can take in now.
 *
 * @param events how many events; none if 0
 * @param bytes how many bytes they may have in all
 */
public record Capacity(int events, long bytes) {

	public static final Capacity NONE = new Capacity(0, 0);

	/** For one event, however large. */
	static final Capacity FOR_ONE = new Capacity(1, DurablePull.ANY_BYTES);

	public boolean isNone() {
		return this.events == 0;
	}

}
