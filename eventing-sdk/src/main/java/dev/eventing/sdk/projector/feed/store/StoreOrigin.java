package dev.eventing.sdk.projector.feed.store;

import java.time.Duration;

import dev.eventing.sdk.projector.delivery.Origin;

/**
 * An event that is read from a log, as it is settled: the checkpoint can pass it then.
 * Unsettled events come again when the projector starts.
 */
public interface StoreOrigin extends Origin {

	/** Lets the checkpoint pass it. */
	void settled();

	@Override
	default void acknowledge() {
		settled();
	}

	@Override
	default void term(String reason) {
		settled();
	}

	@Override
	default void nak() {
		// not settled: the checkpoint does not pass it
	}

	@Override
	default void nak(Duration delay) {
		throw new IllegalStateException(place() + " is read from a log, which does not support a nak with a delay");
	}

	@Override
	default void inProgress() {
		// a log has no ack wait
	}

}
