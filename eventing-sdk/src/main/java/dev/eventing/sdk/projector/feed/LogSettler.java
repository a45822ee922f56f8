package dev.eventing.sdk.projector.feed;

import java.time.Duration;
import java.util.function.LongConsumer;

import dev.eventing.sdk.projector.delivery.Settler;

/**
 * Settles an event that was read from a log: the checkpoint can pass it then. Unsettled
 * events come again when the projector starts.
 *
 * @param sequence the event's sequence in the log
 * @param settled called with the sequence when the checkpoint can pass it
 */
public record LogSettler(long sequence, LongConsumer settled) implements Settler {

	@Override
	public void acknowledge() {
		this.settled.accept(this.sequence);
	}

	@Override
	public void term(String reason) {
		this.settled.accept(this.sequence);
	}

	@Override
	public void nak() {
		// not settled: the checkpoint does not pass it
	}

	@Override
	public void nak(Duration delay) {
		throw new IllegalStateException(
				"Event " + this.sequence + " is read from a log, which does not support a nak with a delay");
	}

	@Override
	public void inProgress() {
		// a log has no ack wait
	}

}
