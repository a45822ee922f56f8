package dev.eventing.benchmark.handwritten;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.nats.client.JetStream;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;

/**
 * Publishes without waiting for each confirmation, with a number of them under way at
 * most; for one thread.
 */
public final class PublishWindow {

	private static final long PATIENCE_SECONDS = 30;

	private final Deque<CompletableFuture<PublishAck>> unconfirmed = new ArrayDeque<>();

	private final JetStream jetStream;

	private final int size;

	public PublishWindow(JetStream jetStream, int size) {
		this.jetStream = jetStream;
		this.size = size;
	}

	/** Publishes, after a wait for the oldest one if the window is full. */
	public void publish(Message message) throws Exception {
		if (this.unconfirmed.size() == this.size) {
			this.unconfirmed.remove().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		this.unconfirmed.add(this.jetStream.publishAsync(message));
	}

	/** Waits until all are confirmed. */
	public void drain() throws Exception {
		while (!this.unconfirmed.isEmpty()) {
			this.unconfirmed.remove().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
	}

}
