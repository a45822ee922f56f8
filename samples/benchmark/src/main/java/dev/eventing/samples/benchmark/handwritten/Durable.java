package dev.eventing.samples.benchmark.handwritten;

import java.time.Duration;

import dev.eventing.samples.benchmark.contender.ProjectorRound;
import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.IterableConsumer;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import org.jspecify.annotations.Nullable;

/** A durable consumer that always has messages asked for ahead. */
final class Durable implements AutoCloseable {

	private static final Duration POLL = Duration.ofMillis(100);

	private static final Duration ACK_WAIT = Duration.ofSeconds(30);

	private final Connection connection;

	private final IterableConsumer messages;

	private Durable(Connection connection, IterableConsumer messages) {
		this.connection = connection;
		this.messages = messages;
	}

	/**
	 * Creates the durable and asks for the first messages.
	 * @param prefetch how many messages are asked for ahead
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
		return new Durable(connection,
				connection.getStreamContext(round.stream())
					.createOrUpdateConsumer(durable)
					.iterate(ConsumeOptions.builder().batchSize(prefetch).build()));
	}

	/** The next message, or null if there was none for a moment. */
	@Nullable Message next() throws Exception {
		return this.messages.nextMessage(POLL);
	}

	@Override
	public void close() {
		this.messages.stop();
		try {
			this.connection.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
