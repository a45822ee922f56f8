package dev.eventing.sdk.projector;

import dev.eventing.sdk.nats.DurablePull;

/**
 * What a projector can take in now.
 *
 * @param events how many events; none if 0
 * @param bytes how many bytes they may have in all
 */
record Room(int events, long bytes) {

	static final Room NONE = new Room(0, 0);

	/** For one event, however large. */
	static final Room FOR_ONE = new Room(1, DurablePull.ANY_BYTES);

	boolean isNone() {
		return this.events == 0;
	}

}
