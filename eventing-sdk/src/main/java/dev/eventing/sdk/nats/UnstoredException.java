package dev.eventing.sdk.nats;

import java.io.IOException;

/**
 * JetStream answers that a message is a duplicate, and has no sequence for it. It knows
 * the id of an earlier publish that its cluster has not stored yet, and may never store.
 * nats-server 2.10 answers so for a stream with replicas, until the duplicate window is
 * over; later versions answer with error 10158.
 */
final class UnstoredException extends IOException {

	private static final long serialVersionUID = 1L;

	UnstoredException(String stream) {
		super("Stream '" + stream + "' does not have the message: it knows an earlier publish that is not stored yet, "
				+ "or was lost.");
	}

}
