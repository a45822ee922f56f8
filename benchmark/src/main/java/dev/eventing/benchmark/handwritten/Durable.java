package dev.eventing.benchmark.handwritten;

import java.time.Duration;

import dev.eventing.benchmark.contender.ProjectorRound;
import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.ConsumerContext;
import io.nats.client.IterableConsumer;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import org.jspecify.annotations.Nullable;

/** A durable consumer that always has messages asked for ahead, once it has begun. */
final class Durable implements AutoCloseable {

	private static final Duration POLL = Duration.ofMillis(100);

	private static final Duration ACK_WAIT = Duration.ofSeconds(30);

	private final Connection connection;

	private final ConsumerContext durable;

	private final int prefetch;

	private @Nullable IterableConsumer messages;

	private Durable(Connection connection, ConsumerContext durable, int prefetch) {
		this.connection = connection;
		this.durable = durable;
		this.prefetch = prefetch;
	}

	/**
	 * Creates the durable and asks for no message yet.
	 * @param prefetch how many messages it asks for ahead
	 */
	static Durable open(ProjectorRound round, int prefetch) throws Exception {
		Connection connection = Nats.connect(round.natsUrl());
		ConsumerConfiguration durable = ConsumerConfiguration.builder()
			.durable(round.projector())
			.filterSubject(round.subject())
			.ackPolicy(AckPolicy.Explicit)
			.ackWait(ACK_WAIT)
			// Else the server stops at 1000 that are not acknowledged.
			.maxAckPending(4L * prefetch)
			.build();
		return new Durable(connection, connection.getStreamContext(round.stream()).createOrUpdateConsumer(durable),
				prefetch);
	}

	/** The next message, or null if there was none for a moment. */
	@Nullable Message next() throws Exception {
		IterableConsumer current = this.messages;
		if (current == null) {
			current = this.durable.iterate(ConsumeOptions.builder().batchSize(this.prefetch).build());
			this.messages = current;
		}
		return current.nextMessage(POLL);
	}

	@Override
	public void close() {
		if (this.messages != null) {
			this.messages.stop();
		}
		try {
			this.connection.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
